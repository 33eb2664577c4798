/// The parsers of contents: statements, the client's ledger, responses, and callbacks of Kollus.
let targets: [FuzzTarget] = [
    contentStatements, ledgerFiles, ledgerEntries, ledgerNotes, contentAnswers, servedKeys, kollusCallbacks,
]
