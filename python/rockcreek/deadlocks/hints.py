"""What to do about each kind of finding of processes: of RCCE, iRCCE, MPI and mailboxes."""

HINTS = {
    "receive-ring": "let one of them send before it receives, or all even ranks",
    "send-ring": "RCCE_send returns when the message is fetched: let one of them receive first",
    "lock-cycle": "take locks in the same order everywhere",
    "collective-unequal": "all members must give the call one root, size and communicator",
    "wait-cycle": "one of them must do its part before it waits for the next",
    "receive-without-sender": "add the send, or take the receive out; look at ranks and loops",
    "send-without-receiver": "add the receive; RCCE_send returns only when the message is fetched",
    "send-refused": "mend the arguments of the send that was refused; look at what it returns",
    "recv-refused": "mend the arguments of the receive that was refused; look at what it returns",
    "unequal-tags": "give send and receive one tag, or receive MPI_ANY_TAG",
    "unequal-sizes": "give both calls the same number of bytes",
    "unequal-barriers": "all members must call it equally often: look for one inside an `if`",
    "barrier-missing-members": "all members of the communicator must call it",
    "collective-missing-member": "all members must make the same collective calls in one order",
    "lock-never-released": "release the lock on every way out of the code that holds it",
    "lock-held": "release the lock before waiting for something else",
    "lock-taken-twice": "RCCE's locks do not nest: release it before taking it again",
    "flag-elsewhere": "RCCE_flag_write's last argument is the UE that waits for the flag",
    "flag-unwritten": "somebody must write this flag on the UE that waits for it",
    "messages-left-over": "wait for each request before MPI_Finalize, and receive each message",
    "mailbox-not-read": "the receiver must read its mails: a box holds one of each sender",
    "mailbox-empty": "somebody must send the mail",
    "request-unfinished": "start the partner's call, or wait for the request later",
    "transfer-under-way": "it goes on: give the run more time (a larger --timeout or --until)",
    "ticket-not-served": "the holder must call RCCE_air_release",
}
# Where MPI differs from RCCE.
HINTS_OF_MPI = {
    "send-ring": "MPI_Send of a large message returns when it is received: let one of them receive"
    " first, or use MPI_Sendrecv or MPI_Isend",
    "receive-ring": "let one of them send before it receives, or use MPI_Sendrecv or MPI_Irecv",
    "receive-without-sender": "add the send, or take the receive out; what MPI_Bcast and the like"
    " send is received by that call alone",
    "send-without-receiver": "add the receive; MPI_Send of a large message returns when it is"
    " received",
    "unequal-barriers": "all ranks must make the same collective calls, in one order",
    "barrier-missing-members": "all ranks must make the same collective calls, in one order",
}
