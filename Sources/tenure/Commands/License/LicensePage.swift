import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer

/// A license as lines for a person.
struct LicensePage {
    let license: License
    let now: Timestamp

    var lines: [String] {
        [
            "license   \(license.id)",
            "key       \(license.key.masked)",
            "product   \(license.product)",
            "policy    \(license.policy)",
            "holder    \(license.holder ?? "-")",
            "state     \(license.state(at: now).rawValue)",
            "term      \(license.term.start) to \(license.term.end?.description ?? "never ending")",
            "issued    \(license.issuedAt)",
            "activated \(license.firstActivatedAt?.description ?? "never")",
        ]
    }

    /// Answers the license, as JSON or as lines.
    static func answer(_ license: License, at now: Timestamp, asJSON: Bool, on console: Console) {
        if asJSON {
            console.answer { $0.license(license, at: now) }
        } else {
            console.answer(lines: LicensePage(license: license, now: now).lines)
        }
    }
}

/// A refusal as lines for a person: each reason with its cure.
extension Console {
    func answer(refusal: Refusal, asJSON: Bool) {
        if asJSON {
            answer { body in
                body.member("error", refusal.first.message)
                body.refusal(refusal)
            }
        } else {
            for reason in refusal.reasons { fail("\(reason.message) \(reason.cure) [\(reason.code)]") }
        }
    }
}
