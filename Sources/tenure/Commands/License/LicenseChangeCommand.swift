import TenureCommandLine
import TenureCore

/// `tenure license change`
enum LicenseChangeCommand {
    private static let policy: Argument<PolicyID?> = .optional("policy", "POLICY", "The policy to follow.", as: .slug())
    private static let holder: Argument<String?> = .optional(
        "holder", "TEXT", "The holder; - for nobody.", as: .text)
    private static let expires: Argument<LicenseEdit.End?> = .optional(
        "expires-at", "DATE", "The end of the term, or never.", as: .end)

    static let command = Command(
        "change", "Edits a license's policy, holder or end.",
        discussion: "Devices learn of it at their next refresh. An end in the past expires the license at once.",
        example: "tenure license change NOTE-PRO0-0000-0001 --policy team --expires-at never",
        arguments: LicenseReference.arguments + [policy, holder, expires, SharedOptions.json]
    ) { arguments, console in
        let edit = LicenseEdit(
            policy: arguments[policy], holder: arguments[holder].map { $0 == "-" ? "" : $0 }, end: arguments[expires])
        if edit == LicenseEdit() { throw UsageError("give at least one of --policy, --holder and --expires-at") }
        return try await LicenseAct.perform(arguments, console: console) { _, _ in .init(act: .change(edit)) }
    }
}
