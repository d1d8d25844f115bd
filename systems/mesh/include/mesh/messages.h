/*
 * messages.h: functions that run on other cores.
 *
 * `core` is a rank. tell(core, f) sends f and continues. ask(core, f) waits for
 * the result of f and serves messages meanwhile; with a Future it continues. f
 * is copied byte by byte, at most 64 KB, so it must not hold anything that a
 * copy of its bytes does not copy. Functions and static data have equal
 * addresses on all cores, because all run one program. Messages from one core
 * to another run in the order in which they were sent; a message that polls or
 * waits lets the next one run meanwhile. f sent to the own core runs at once.
 */
#ifndef MESH_MESSAGES_H
#define MESH_MESSAGES_H

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mesh
{
namespace detail
{
extern int my_rank, rank_count;
} // namespace detail

inline int rank()
{
    return detail::my_rank;
}
inline int ranks()
{
    return detail::rank_count;
}

/* Prints the error (as printf does), this core and the hint on stderr, and ends
 * this core's program with exit code 1. */
[[noreturn, gnu::format(printf, 2, 3)]] void fail(const char *hint,
                                                  const char *format, ...);

/* Runs the messages that have arrived, and sends kept ones for which there is
 * room now; false if no line of a message had arrived. */
bool poll();

/* Polls until done() returns true. */
template <class Done> void wait(Done done)
{
    while (!done())
        poll();
}

namespace detail
{
struct Message {
    int from;
    unsigned tag;
    size_t bytes;
    const void *payload;

    template <class P> const P &as() const
    {
        return *static_cast<const P *>(payload);
    }
};
using Handler = void (*)(const Message &);

constexpr unsigned UNCOUNTED = 0x80;  /* tag bit: MESH's own, see Traffic */
constexpr size_t MOST_BYTES = 0xFFFF; /* payload of a message */
constexpr size_t WORDS = 8;           /* words in a line of an MPB */
constexpr size_t INLINE_BYTES = 24;   /* payload of a message's first line */

/* The head word of a message's first line: bytes << 16 | tag << 8. The channel
 * puts the number of the line into its lowest byte. */
constexpr uint32_t head_of(size_t bytes, unsigned tag)
{
    return (uint32_t)bytes << 16 | tag << 8;
}

/* Send a message without waiting; `handler` runs on core `to`, or at once,
 * inside the call, if `to` is this core. A message for which there is no room
 * is copied, and later polls send it. send_line sends one line: it reads
 * INLINE_BYTES bytes at `payload`, whatever their number in `head` (head_of).
 * send is for more than INLINE_BYTES and at most MOST_BYTES bytes. */
[[gnu::regparm(3)]] void send_line(int to, Handler handler,
                                   const uint32_t *payload, uint32_t head);
void send(int to, Handler handler, const void *payload, size_t bytes,
          unsigned tag);

[[noreturn]] void refuse_rank(int core);
inline void check_rank(int core)
{
    if ((unsigned)core >= (unsigned)ranks())
        refuse_rank(core);
}

template <class P>
void send(int to, Handler handler, const P &payload, unsigned tag = 0)
{
    static_assert(std::is_trivially_copyable_v<P>,
                  "what is sent to another core is copied byte by byte");
    static_assert(sizeof(P) <= MOST_BYTES, "a message has at most 64 KB");
    constexpr size_t BYTES = std::is_empty_v<P> ? 0 : sizeof(P);

    if constexpr (BYTES <= INLINE_BYTES) {
        uint32_t words[INLINE_BYTES / sizeof(uint32_t)] = {};

        __builtin_memcpy(words, &payload, BYTES);
        send_line(to, handler, words, head_of(BYTES, tag));
    } else {
        send(to, handler, &payload, BYTES, tag);
    }
}
} // namespace detail

/* A result that another core sends. ready() is true if no result is under way;
 * get() waits for it and returns it (R{} if nothing was asked). The destructor
 * waits if the result has not arrived. A Future may be used again after get().
 * The library calls expect() and set(). */
template <class R> class Future
{
  public:
    Future() = default;
    Future(const Future &) = delete;
    Future &operator=(const Future &) = delete;
    ~Future()
    {
        if (pending)
            get();
    }
    bool ready() const
    {
        return !pending;
    }
    R get()
    {
        wait([this] { return !pending; });
        return value;
    }

    void expect()
    {
        pending = true;
    }
    void set(const R &result)
    {
        value = result;
        pending = false;
    }

  private:
    /* True until the result has arrived. Volatile, because a poll changes
     * it. */
    volatile bool pending = false;
    R value{};
};

template <> class Future<void>
{
  public:
    Future() = default;
    Future(const Future &) = delete;
    Future &operator=(const Future &) = delete;
    ~Future()
    {
        get();
    }
    bool ready() const
    {
        return !pending;
    }
    void get()
    {
        wait([this] { return !pending; });
    }

    void expect()
    {
        pending = true;
    }
    void set()
    {
        pending = false;
    }

  private:
    volatile bool pending = false;
};

namespace detail
{
template <class F> using Result = std::decay_t<std::invoke_result_t<const F &>>;

template <class F> void run_told(const Message &message)
{
    message.as<F>()();
}

template <class R> struct Answer {
    Future<R> *future;
    R value;
};
template <class R> void take_answer(const Message &message)
{
    const auto &answer = message.as<Answer<R>>();

    answer.future->set(answer.value);
}
inline void take_word(const Message &message)
{
    message.as<Future<void> *>()->set();
}

template <class F> struct Question {
    Future<Result<F>> *future;
    F f;
};
template <class F> void run_asked(const Message &message)
{
    using R = Result<F>;
    const auto &question = message.as<Question<F>>();

    if constexpr (std::is_void_v<R>) {
        question.f();
        send(message.from, take_word, question.future, message.tag);
    } else {
        Answer<R> answer{question.future, question.f()};

        send(message.from, take_answer<R>, answer, message.tag);
    }
}
} // namespace detail

template <class F> void tell(int core, const F &f)
{
    detail::check_rank(core);
    detail::send(core, detail::run_told<F>, f);
}

template <class F>
void ask(int core, const F &f, Future<detail::Result<F>> &future)
{
    detail::check_rank(core);
    future.expect();
    detail::send(core, detail::run_asked<F>, detail::Question<F>{&future, f});
}

template <class F> detail::Result<F> ask(int core, const F &f)
{
    Future<detail::Result<F>> future;

    ask(core, f, future);
    return future.get();
}
} // namespace mesh

#endif
