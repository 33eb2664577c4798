package import TenureCommandLine
import TenureFormats
import TenureStore

/// The command `tenure init`.
package enum InitCommand {
    package static func command(_ installations: Installations) -> Command {
        Command(
            "init", "Initializes an installation: tables, master key and the key's check value.",
            discussion: """
                On PostgreSQL, only this command initializes a store, so that several servers can't each create a key. \
                Copy the master key file to every server. Repeating the command changes nothing.
                """,
            example: "tenure init --store postgres://tenure@db.example/tenure --master-key-file master.key",
            arguments: [SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("masterKeyFile", .text())])
        ) { arguments, console in
            let installation = try await installations.begin(arguments, console: console)
            await installation.store.close()
            let key = installation.masterKeyFile.path
            console.answer("the store is ready; its master key file is \(key)", asJSON: arguments[SharedOptions.json]) {
                body in
                body.member("masterKeyFile", key)
            }
            return .done
        }
    }
}
