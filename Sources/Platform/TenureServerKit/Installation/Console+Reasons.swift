package import TenureCommandLine
package import TenureCore

extension Console {
    /// Prints reasons with their facts and remedies.
    package func answer(_ reasons: [Reason], changesAt: Timestamp?) {
        if let changesAt { answer("this changes automatically on \(changesAt)") }
        for reason in reasons {
            answer("- \(reason.message) [\(reason.code)]")
            for fact in reason.evidence { answer("    \(fact.name): \(fact.value.text)") }
            answer("    to fix: \(reason.cure)")
        }
        if reasons.isEmpty { answer("there are no problems") }
    }
}
