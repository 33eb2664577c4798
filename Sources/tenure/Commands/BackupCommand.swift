import TenureCommandLine
import TenureStore

/// `tenure backup`
enum BackupCommand {
    private static let out = Argument.positional("FILE", "A new file for the copy.", as: .text)

    static let command = Command(
        "backup", "Copies the whole store into one file, while a server runs or not.",
        discussion: """
            The copy is one consistent moment. It does not hold the master key: keep that apart, for without it the signing \
            keys in the copy cannot be opened.
            """,
        example: "tenure backup tenure-2026-11-21.sqlite", arguments: [out] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let progress = console.progress("copying", total: 1000)
        let done = Share()
        try await installation.store.backup(to: arguments[out]) { share in
            progress.advance(by: done.advance(to: Int(share * 1000)))
        }
        progress.finish()
        await installation.store.close()
        console.answer("wrote \(arguments[out])")
        console.note("the master key is not in it: keep \(installation.masterKeyFile.path) safe, apart from the copy")
        return .done
    }
}
