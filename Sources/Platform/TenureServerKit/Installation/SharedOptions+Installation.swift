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
