import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer

/// A license for whoever asked: as lines for a person, or as JSON.
struct LicensePage {
    let license: License
    /// The text of a key that was minted just now, to be shown once.
    var newKey: String?
    let now: Timestamp

    private var lines: [String] {
        (newKey.map { ["license key  \($0)   (shown once)"] } ?? []) + [
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
    func answer(asJSON: Bool, on console: Console) {
        guard asJSON else {
            console.answer(lines: lines)
            return
        }
        console.answer { body in
            if let newKey { body.member("licenseKey", newKey) }
            body.license(license, at: now)
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
            for reason in refusal.reasons { fail("\(reason.sentence) \(reason.cure) [\(reason.code)]") }
        }
    }
}

extension Reason {
    /// What happened as a sentence: Keylight's own words for a revoked license end without a full stop.
    var sentence: String { message.hasSuffix(".") ? message : message + "." }
}
