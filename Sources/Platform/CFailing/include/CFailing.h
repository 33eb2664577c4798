/* What a process does that holds secrets when it fails: it leaves no image of its memory, and tells the log that it failed, in
   a line, and nothing of what it held. A file that is cut short while it is mapped for reading costs the reader, not the
   process: what is gone reads as zeros. To be called once, before there is anything to protect. */
void tenure_keep_secrets_when_failing(void);
