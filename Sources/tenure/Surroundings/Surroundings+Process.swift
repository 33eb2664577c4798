import Foundation
import TenureCommandLine

extension Surroundings {
    /// The environment variable of each option, by the option's name.
    static let variables = [
        "data": "TENURE_DATA", "store": "TENURE_STORE", "store-file": "TENURE_STORE_FILE",
        "master-key-file": "TENURE_MASTER_KEY_FILE", "clock": "TENURE_CLOCK", "tenant": "TENURE_TENANT",
        "product": "TENURE_PRODUCT", "context": "TENURE_CONTEXT",
    ]

    /// The environment and contexts of this process; warnings are printed on the console.
    static func process(console: Console) -> Surroundings {
        let environment = ProcessInfo.processInfo.environment
        return Surroundings(
            environment: environment, variables: variables, together: ["data", "store", "store-file"]
        ) { name throws(UsageError) in
            guard let path = ContextFile.path(in: environment) else { return [:] }
            do throws(UsageError) {
                return try ContextFile(at: path).options(of: name)
            } catch {
                // For example, a service that inherited root's `HOME`. If a context was named, the error is thrown.
                guard name == nil, ContextFile.isForeignDefault(path, in: environment) else { throw error }
                console.warn(
                    "tenure: no context is used, because the folder of \(path.printable) belongs to another user; set "
                        + "HOME or XDG_CONFIG_HOME to a folder of this user")
                return [:]
            }
        }
    }
}

extension Program.Topic {
    /// The page of `tenure help environment`.
    static let environment = Program.Topic(
        "environment",
        """
        An option that is not typed is looked for in the environment, then in the
        context (`tenure context --help`), and has its default where neither says it:

          TENURE_DATA             --data
          TENURE_STORE            --store
          TENURE_STORE_FILE       --store-file
          TENURE_MASTER_KEY_FILE  --master-key-file
          TENURE_CLOCK            --clock
          TENURE_TENANT           --tenant
          TENURE_PRODUCT          --product
          TENURE_CONTEXT          --context

        --data, --store and --store-file name one thing: where one of them is typed,
        the others are looked for nowhere, and where the environment has one of them,
        the context's do not count.

        Contexts are in $XDG_CONFIG_HOME/tenure/config.json, or
        ~/.config/tenure/config.json; NO_COLOR takes colours away.
        """)

    /// The page of `tenure help exit-codes`.
    static let exitCodes = Program.Topic(
        "exit-codes",
        """
        0    It is done.
        1    It was refused, or it failed; the message says what to do.
        2    It was typed wrongly, or a file cannot be read; nothing was changed.
        130  It was interrupted (Ctrl-C); what it had done stands, and it says so.
        """)
}
