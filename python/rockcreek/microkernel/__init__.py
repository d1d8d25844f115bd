"""The microkernel `l4` as its memory shows it: tasks, threads and gates of a core, who waits for
whom, and messages by gate. The chip knows none of them.
"""
