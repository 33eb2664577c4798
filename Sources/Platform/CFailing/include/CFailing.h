/* Prevents a crash from leaking secrets: the process leaves no core dump, and logs one line without any of its data.
   If a file is truncated while it is mapped for reading, the process continues, and the missing pages read as zeros.
   Call this once, before the process holds any secrets. */
void tenure_keep_secrets_when_failing(void);
