import TenureCommandLine
import TenureFormats
package import TenureStore

/// One result of a check, as `tenure doctor` prints it.
package struct Finding: Sendable {
    enum Level: String, CaseIterable {
        case ok
        /// A possible improvement. It isn't a problem, so `--strict` accepts it.
        case note
        case warning, failure
    }

    let level: Level
    /// The subject of the check, in a word or two.
    let subject: String
    /// The result of the check.
    let message: String
    /// What the operator should do; empty if nothing needs to be done.
    let cure: String

    package static func ok(_ subject: String, _ message: String) -> Finding {
        Finding(level: .ok, subject: subject, message: message, cure: "")
    }

    static func note(_ subject: String, _ message: String, cure: String) -> Finding {
        Finding(level: .note, subject: subject, message: message, cure: cure)
    }

    package static func warning(_ subject: String, _ message: String, cure: String) -> Finding {
        Finding(level: .warning, subject: subject, message: message, cure: cure)
    }

    package static func failure(_ subject: String, _ message: String, cure: String) -> Finding {
        Finding(level: .failure, subject: subject, message: message, cure: cure)
    }

    /// Returns a failure for a check that couldn't read the store, with advice for that error.
    package static func failure(_ subject: String, _ error: StoreError) -> Finding {
        .failure(subject, error.message + (error.cause.map { " (\($0))" } ?? ""), cure: cure(of: error))
    }

    /// Returns the finding with options added to the commands in its advice, so that they use the same installation.
    func naming(_ options: String) -> Finding {
        Finding(level: level, subject: subject, message: message, cure: cure.addingToCommands(options))
    }

    /// The finding for a database: advice about a data folder's permissions is replaced.
    var ofDatabase: Finding {
        guard cure == Self.folderCure else { return self }
        return Finding(
            level: level, subject: subject, message: message, cure: "The data isn't damaged. Do what the message says.")
    }

    private static let folderCure =
        "The data isn't damaged. Give the folder and its files to the server's user: chown -R USER DIR, and "
        + "chmod -R u+rwX DIR."

    private static func cure(of error: StoreError) -> String {
        switch error.code {
        case .corrupt:
            "Stop the server, keep the file, and restore the latest backup with `tenure restore FILE --replace`, or with "
                + "the database's own tools."
        case .permission, .readOnly:
            folderCure
        case .full: "Free some space. The server continues automatically once there is space."
        case .busy: "Check that no other process holds the store; then try again."
        case .unavailable: "The data isn't damaged. Do what the message says, then run `tenure doctor` again."
        case .newerSchema: "Use the version of Tenure that wrote it, or a later one."
        case .missing: "Check which store --data or --store names. A new installation is created by `tenure init`."
        case .foreign: "Choose the right store with --data or --store."
        default: "See the message. If nothing explains it, keep the file and report it to Tenure's developers."
        }
    }
}

extension Console {
    func answer(_ finding: Finding, asJSON: Bool) {
        guard !asJSON else {
            answer { body in
                body.member("level", finding.level.rawValue)
                body.member("subject", finding.subject)
                body.member("message", finding.message)
                body.member("cure", finding.cure)
            }
            return
        }
        let mark =
            switch finding.level {
            case .ok: shown(state: "ok") + "      "
            case .note: shown(state: "note") + "    "
            case .warning: shown(state: "warning") + " "
            case .failure: shown(state: "FAILURE") + " "
            }
        answer("\(mark) \(finding.subject): \(finding.message)")
        if !finding.cure.isEmpty { answer("          -> \(finding.cure)") }
    }
}
