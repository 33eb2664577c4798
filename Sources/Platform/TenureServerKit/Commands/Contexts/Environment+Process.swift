import FoundationEssentials
package import TenureCommandLine

extension Environment {
    /// The environment variable of each option, by the option's name.
    package static let variables = [
        "data": "TENURE_DATA", "store": "TENURE_STORE", "store-file": "TENURE_STORE_FILE",
        "master-key-file": "TENURE_MASTER_KEY_FILE", "clock": "TENURE_CLOCK", "tenant": "TENURE_TENANT",
        "product": "TENURE_PRODUCT", "base-url": "TENURE_BASE_URL", "context": "TENURE_CONTEXT",
        "smtp": "TENURE_SMTP", "smtp-credentials-file": "TENURE_SMTP_CREDENTIALS_FILE", "smtp-ca": "TENURE_SMTP_CA",
        "smtp-name": "TENURE_SMTP_NAME", "mail-folder": "TENURE_MAIL_FOLDER", "egress-allow": "TENURE_EGRESS_ALLOW",
    ]

    /// The environment variables of this process and its user's contexts. Prints a warning if the contexts are
    /// ignored.
    package static func process(console: Console) -> Environment {
        let environment = ProcessInfo.processInfo.environment
        return Environment(
            environment: environment, variables: variables, together: ["data", "store", "store-file"]
        ) { name throws(UsageError) in
            guard let path = ContextFile.path(in: environment) else { return [:] }
            do throws(UsageError) {
                return try ContextFile(at: path).options(of: name)
            } catch {
                // For example, a service may have inherited root's `HOME`. If the command names a context, the error
                // is thrown.
                guard name == nil, ContextFile.isForeignDefault(path, in: environment) else { throw error }
                console.warn(
                    "tenure: contexts are ignored, because the folder of \(path.printable) belongs to another user; set "
                        + "HOME or XDG_CONFIG_HOME to a folder of this user")
                return [:]
            }
        }
    }
}

extension Program.Topic {
    /// The page of `tenure help environment`.
    package static let environment = Program.Topic(
        "environment",
        """
        An option that is not given on the command line is taken from the environment,
        then from the context (`tenure context --help`). Otherwise its default applies:

          TENURE_DATA                   --data
          TENURE_STORE                  --store
          TENURE_STORE_FILE             --store-file
          TENURE_MASTER_KEY_FILE        --master-key-file
          TENURE_CLOCK                  --clock
          TENURE_TENANT                 --tenant
          TENURE_PRODUCT                --product
          TENURE_BASE_URL               --base-url
          TENURE_CONTEXT                --context
          TENURE_SMTP                   --smtp
          TENURE_SMTP_CREDENTIALS_FILE  --smtp-credentials-file
          TENURE_SMTP_CA                --smtp-ca
          TENURE_SMTP_NAME              --smtp-name
          TENURE_MAIL_FOLDER            --mail-folder
          TENURE_EGRESS_ALLOW           --egress-allow, several separated by spaces

        --data, --store and --store-file all name the store. If one of them is given on
        the command line, the environment and the context are not asked for the others.
        If the environment has one of them, the context's are ignored.

        Contexts are kept in $XDG_CONFIG_HOME/tenure/config.json, or
        ~/.config/tenure/config.json.

        Dates are shown in the local time zone, which TZ sets. --json prints them in UTC
        (RFC 3339). Set NO_COLOR to turn colors off.
        """)

    /// The page of `tenure help exit-codes`.
    package static let exitCodes = Program.Topic(
        "exit-codes",
        """
        0    The command succeeded.
        1    The command was refused or failed; the message says what to do.
        2    The command line is invalid, or a file cannot be read; nothing was changed.
        130  The command was interrupted (Ctrl-C); it says what was already done.
        """)
}
