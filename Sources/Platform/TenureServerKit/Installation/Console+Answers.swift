package import TenureCommandLine
package import TenureCore
import TenureFormats

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

extension Console {
    /// Prints values, as a list in JSON or as a table, with a hint at the next page after a full one.
    ///
    /// - Parameters:
    ///   - name: The list's name in JSON.
    ///   - columns: The columns of the table; the first one is the id.
    ///   - limit: The size of a full page; `nil` if there are no pages.
    package func answer<Value>(
        _ values: [Value], _ name: String, _ document: Document<Value>, _ columns: [LabeledText<Value>], asJSON: Bool,
        limit: Int? = nil
    ) {
        guard !asJSON else {
            return answer { body in
                body.array(name) { list in
                    for value in values { list.object { document.write(value, into: &$0) } }
                }
            }
        }
        answer(TextTable(columns, of: values))
        if values.count == limit, let last = values.last, let id = columns.first {
            note("there may be more; continue with --after \(id.text(last))")
        }
    }
}
