"""`rck grade`: a folder of submissions becomes a table of builds, runs, findings and speed-ups.

Submissions are hostile: they are copied, built and run by processes that see a scratch folder and
what compilers need, with limits of time, memory and output each (`confined`).
"""
