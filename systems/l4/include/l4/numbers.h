/*
 * numbers.h: the numbers of the system call interface, for kernel and programs,
 * C and assembly.
 *
 * INT 30h invokes the capability in slot EAX. ECX holds the tag, EDX mode and
 * timeout, EBX, ESI and EDI the first three words of the message. On return EAX
 * holds the result, EDX the sender's badge, ECX and the other registers tag and
 * words of the reply; EBP and ESP keep their values.
 */
#ifndef L4_NUMBERS_H
#define L4_NUMBERS_H

#define L4_VECTOR 0x30

/* The mode of an invocation: bits 2:0 of EDX. Bits 31:3 are the timeout in
 * microseconds for all of it; 0: only if the partner is ready. Invocations of
 * the kernel's objects do not wait. */
#define L4_CALL 0       /* send, then wait for the reply */
#define L4_SEND 1       /* send only */
#define L4_RECEIVE 2    /* wait for whoever sends; EAX is not used */
#define L4_REPLY_WAIT 3 /* reply to the last caller, then wait */
#define L4_REPLY 4      /* reply only */
#define L4_MODE 7
#define L4_NEVER 0x1FFFFFFF /* this timeout does not end */
#define L4_FOREVER 0xFFFFFFF8

/* The fields of a message's tag: numbers of words and items, and the label.
 * Words after the third, and items, are in the UTCB. */
#define L4_WORDS 0x7F
#define L4_ITEMS 0xF80
#define L4_ITEMS_SHIFT 7
#define L4_LABEL_SHIFT 16
#define L4_WORDS_MAX 64
#define L4_ITEMS_MAX 8
#define L4_PAGES_MAX 16   /* pages that one message may carry */
#define L4_RANGE_MAX 1024 /* pages that L4_TASK_MAP and _UNMAP take */

/* Results of an invocation, in EAX. L4_DEAD also: the partner took another call
 * before it replied. L4_NO_ROOM also: a slot or a place is not empty. */
#define L4_OK 0
#define L4_NO_CAPABILITY (-1) /* the slot is empty, of another kind, too high */
#define L4_NO_RIGHT (-2)      /* the capability lacks a right */
#define L4_BAD_ARGUMENT (-3)
#define L4_NO_MEMORY (-4) /* the factory's share of kernel memory is used */
#define L4_TIMEOUT (-5)
#define L4_DEAD (-6)    /* the partner is gone, or gone while one waited */
#define L4_NO_ROOM (-7) /* the receiver's window cannot take the items */

/* Rights of a capability: what its holder may do with it. */
#define L4_RIGHT_SEND 1
#define L4_RIGHT_CONTROL 2
#define L4_RIGHT_COPY 4 /* may travel in messages */
#define L4_RIGHTS 7

/* Items of a message: flags in the low bits of the first of an item's two
 * words. */
#define L4_ITEM_CAPABILITY 0x800 /* else pages */
#define L4_ITEM_GRANT 0x400      /* the sender loses what it gives */
#define L4_ITEM_WRITE 0x008      /* pages: may be written */
#define L4_SLOT_SHIFT 12

/* Kinds of objects: the first word of L4_FACTORY_CREATE. */
#define L4_KIND_TASK 1
#define L4_KIND_THREAD 2
#define L4_KIND_GATE 3
#define L4_KIND_FACTORY 4
#define L4_KIND_IRQ 5
#define L4_KIND_CONTEXT 6
#define L4_KIND_LOG 7
#define L4_KIND_MEMORY 8
#define L4_KIND_CORE 9       /* the right to end the core */
#define L4_KIND_REGISTERS 11 /* registers of the chip, one by one */

/* Operations of the kernel's objects: the label of the tag. After each name:
 * its words. L4_FACTORY_CREATE takes from word 3 on: for a thread the slot of
 * its task and the address of its UTCB's page; for a gate the slot of a thread;
 * for a factory bytes and highest priority; for a context priority and
 * microseconds of a turn; for a log what L4_LOG_PORT1 says. */
#define L4_FACTORY_CREATE 1 /* kind, slot, 0, and by kind */
#define L4_FACTORY_FREE 2   /* -> bytes left, of how many */
#define L4_TASK_MAP 1    /* own address | write | grant, address there, pages */
#define L4_TASK_UNMAP 2  /* address, pages, 1: here too */
#define L4_TASK_GIVE 3   /* own slot | rights, slot there, badge */
#define L4_TASK_REVOKE 4 /* slot, 1: the slot itself too */
#define L4_TASK_DESTROY 5
#define L4_THREAD_START 1   /* EIP, ESP */
#define L4_THREAD_PAGER 2   /* slot of a gate */
#define L4_THREAD_CONTEXT 3 /* slot of a scheduler context */
#define L4_THREAD_DESTROY 4
#define L4_THREAD_TLS 5 /* base address of the segment in GS */
#define L4_THREAD_YIELD 6
#define L4_THREAD_KEEP_CALLER 7 /* slot: replies there, later */
#define L4_THREAD_NOTHING 8
#define L4_THREAD_INTERRUPT 9 /* an exception L4_INTERRUPTED, if it runs */
#define L4_THREAD_X87 10      /* -> its x87 state, from word 3 on */
#define L4_THREAD_SET_X87 11  /* that state, from word 3 on */
#define L4_IRQ_BIND 1         /* slot of a thread, word of the message */
#define L4_IRQ_TRIGGER 2      /* adds one. The message: word, how many, and */
/* the low half of the last one's time stamp */
#define L4_LOG_PORT1 0       /* made with three words of name and a port; */
#define L4_LOG_PORT2 1       /* without a name bytes pass as they are */
#define L4_LOG_WRITE 1       /* length, 0, 0; the bytes follow in the UTCB */
#define L4_LOG_READ 2        /* -> length, 1: no more comes; a few bytes */
#define L4_CORE_END 1        /* exit code */
#define L4_CORE_SIGNAL 2     /* number of a signal, EIP, address */
#define L4_CORE_FLUSH 3      /* what L1 holds goes to memory */
#define L4_CORE_LEAVE 4      /* exit code; of root's gate alone (boot.h) */
#define L4_MEMORY_MAP 1      /* physical, own address | write | type, pages */
#define L4_REGISTERS_READ 1  /* physical address -> value */
#define L4_REGISTERS_WRITE 2 /* physical address, value */
/* With a badge, a core's number + 1, only the pins of that core: its register
 * GLCFG, of which no other input than INTR moves. */
#define L4_PINS_READ 3  /* -> GLCFG, as second word */
#define L4_PINS_WRITE 4 /* GLCFG */
#define L4_PINS_SET 5   /* bits -> GLCFG as it was, as second word */

/* Labels of the messages that the kernel sends to a thread's pager, with their
 * words. */
#define L4_FAULT_PAGE 0xFFF0   /* address | write, EIP, error code */
#define L4_FAULT_EXCEPT 0xFFF1 /* vector, error code, EAX */
#define L4_FAULT_REGISTERS 11  /* follow: EAX EBX ECX EDX ESI EDI EBP EIP */
                               /* ESP EFLAGS, and the segment in GS */
#define L4_INTERRUPTED 0x100   /* vector of L4_THREAD_INTERRUPT */
/* Label of a pager's answer that changes the registers. */
#define L4_SET_REGISTERS 1

/* Memory types for L4_MEMORY_MAP: the bits of the page table entry. */
#define L4_TYPE_WRITE_BACK 0x00
#define L4_TYPE_WRITE_THROUGH 0x08
#define L4_TYPE_UNCACHED 0x18
#define L4_TYPE_MESSAGE 0x88 /* MPBT, through L1 */
#define L4_TYPE_BITS 0x98

#define L4_USER_END 0xF0000000
#define L4_BOOT_INFORMATION 0xEFFFE000 /* of sigma0 and the root task */
#define L4_ROOT_UTCB 0xEFFFF000
/* The offset of a UTCB in its page. It is not 0, because tables and page tables
 * are used from their beginnings, and lines at equal offsets of pages share the
 * sets of L1. */
#define L4_UTCB_OFFSET 0x600

#endif
