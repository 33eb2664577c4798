import TenureCommandLine
import TenureFormats
package import TenureStore

/// One result of a check, as `tenure doctor` prints it.
package struct Finding: Sendable {
    enum Level: String, CaseIterable {
        case ok
        /// Something to improve that isn't wrong; `--strict` accepts it.
        case note
        case warning, failure
    }

    let level: Level
    /// What was checked, in a word or two.
    let subject: String
    /// What was found.
    let message: String
    /// What to do about it; empty if nothing needs to be done.
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

    /// Returns a failure for a check that couldn't read the store.
    package static func failure(_ subject: String, _ error: StoreError) -> Finding {
        .failure(subject, error.message, cure: "See the message; \(error.cause ?? "the cause is unknown").")
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
