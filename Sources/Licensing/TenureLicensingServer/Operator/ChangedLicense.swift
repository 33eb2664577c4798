import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit

/// A license after a change of its terms, with the end that it had before.
struct ChangedLicense: Sendable {
    let before: AsOf<License>
    let license: AsOf<License>

    init(_ license: AsOf<License>, before: License) {
        self.before = AsOf(before, at: license.now)
        self.license = license
    }

    static let document = Document<ChangedLicense>(
        "ChangedLicense",
        License.document.members { $0.license } + [
            .momentOrNull(
                "previousExpiresAt",
                "When its term would have ended before this request; null if it never expired, or if its term hadn't "
                    + "started: see `previousDuration`."
            ) { $0.before.value.ending(at: $0.before.now).end },
            .textOrNull(
                "previousDuration", "How long its term would have lasted before this request; null once it had started."
            ) { $0.before.value.ending(at: $0.before.now).length?.description },
        ])

    /// The end before and after the change, for people.
    var ends: String {
        let (old, new) = (before.value.ending(at: before.now), license.value.ending(at: license.now))
        return old == new ? "\(old.words), as before" : "\(new.words); before: \(old.words)"
    }
}

/// A change of the policy that doesn't say what happens to the license's end, although the policies' terms differ in
/// kind.
public struct EndLeftOpen: Sendable {
    let license: AsOf<License>
    let old: Policy
    let new: Policy

    init(_ license: AsOf<License>, from old: Policy, to new: Policy) {
        self.license = license
        self.old = old
        self.new = new
    }

    /// The license's current end, and how the policies' terms differ, in sentences.
    var words: String {
        "The license's end is: \(license.value.ending(at: license.now).words). "
            + "Licenses of \(old.id) \(old.termWords), licenses of \(new.id) \(new.termWords)."
    }

    /// The error of a command that can't ask the person.
    var error: CommandError {
        CommandError(
            "Nothing was changed. \(words) To keep the license's end, add --keep-end; to set another one, add "
                + "--expires-at DATE or --expires-at never.")
    }

    /// The fault in the operator API's response.
    var fault: FieldFault {
        FieldFault(
            "keepEnd",
            .other(
                "send keepEnd (true) to keep the license's end, or expiresAt to set another one. " + words))
    }
}

extension Policy {
    /// How long licenses of the policy are valid, such as `never expire`; follows the policy's name.
    fileprivate var termWords: String {
        guard let duration else { return "never expire" }
        return "last \(duration)" + (termStarts == .activation ? " from the first activation" : "")
    }
}

extension License.TermEnding {
    /// When a started term ends; `nil` if it never ends or hasn't started.
    fileprivate var end: Timestamp? { if case .at(let end) = self { end } else { nil } }

    /// How long a term lasts that hasn't started; otherwise `nil`.
    fileprivate var length: TermLength? { if case .unstarted(let length, _) = self { length } else { nil } }
}
