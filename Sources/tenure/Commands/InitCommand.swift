import TenureCommandLine
import TenureFormats
import TenureStore

/// `tenure init`
enum InitCommand {
    static let command = Command(
        "init", "Begins an installation: tables, master key and the key's check value.",
        discussion: """
            On PostgreSQL this is the only command that begins one, so that of several servers none makes a key of its own. \
            Give every server a copy of the master key file. Doing it again changes nothing.
            """,
        example: "tenure init --store postgres://tenure@db.example/tenure --master-key-file master.key",
        arguments: [SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.begin(arguments, console: console)
        await installation.store.close()
        let key = installation.masterKeyFile.path
        console.answer("the store is ready; its master key is \(key)", asJSON: arguments[SharedOptions.json]) { body in
            body.member("masterKeyFile", key)
        }
        return .done
    }
}
