package import TenureCommandLine

extension SharedOptions {
    package static let data = Argument.option("data", "DIR", "The data folder.", as: .text, default: "./tenure-data")
    package static let masterKey: Argument<String?> = .optional(
        "master-key-file", "FILE", "The master key file; default: DIR/master.key; required on PostgreSQL.", as: .text)
    package static let store: Argument<String?> = .optional(
        "store", "STORE", "`sqlite` (in the data folder) or postgres://USER@HOST/NAME; default: sqlite.",
        as: .text)
    package static let storeFile: Argument<String?> = .optional(
        "store-file", "FILE", "A file with the value of --store, whose URL may contain a password.", as: .text)
    package static let context: Argument<String?> = .optional(
        "context", "NAME", "The context to take missing options from; default: the current one.", as: .text)

    /// The options of every command that opens an installation.
    package static let installation: [any DeclaredArgument] = [data, store, storeFile, masterKey, clock, context]
}

extension Parsed {
    /// The options that name the installation, as they were typed on the command line; empty without such options.
    ///
    /// Values from the environment and from the current context apply to the next command as well, so they aren't
    /// repeated.
    var installationOptions: String {
        let data = isTyped(SharedOptions.data) ? [("data", self[SharedOptions.data])] : []
        let others = [
            SharedOptions.store, SharedOptions.storeFile, SharedOptions.masterKey, SharedOptions.clock,
            SharedOptions.context,
        ].compactMap { option in
            isTyped(option) ? self[option].map { (option.declaration.name, $0) } : nil
        }
        return (data + others).map { name, value in " --\(name) \(value.forShell)" }.joined()
    }
}

extension String {
    /// The text with options added to each command in backticks, so that a user can copy the commands.
    package func addingToCommands(_ options: String) -> String {
        options.isEmpty ? self : replacing(/`(tenure [^`]+)`/) { "`\($0.output.1)\(options)`" }
    }

    /// The text as one word of a POSIX shell.
    fileprivate var forShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._/:@%+,=".utf8.contains(byte)
            }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
