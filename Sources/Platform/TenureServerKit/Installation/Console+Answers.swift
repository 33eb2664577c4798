package import TenureCommandLine
package import TenureCore
import TenureFormats

extension Console {
    /// Prints reasons with their facts and remedies.
    ///
    /// The options that name this installation are added to the commands in the remedies.
    ///
    /// - Parameters:
    ///   - change: The automatic change as the beginning of a sentence, such as `it expires`.
    ///   - changesAt: The time of the automatic change; `nil` if nothing changes automatically.
    package func answer(
        _ reasons: [Reason], change: String, changesAt: Timestamp?, in installation: Installation
    ) {
        if let changesAt { answer("\(change) automatically on \(changesAt.local)") }
        for reason in reasons {
            answer("- \(reason.message.withLocalDates) [\(reason.code)]")
            for fact in reason.evidence { answer("    \(fact.name): \(fact.textForPeople)") }
            answer("    to fix: \(reason.cure.withLocalDates.addingToCommands(installation.namedBy))")
        }
        if reasons.isEmpty { answer("there are no problems") }
    }
}

extension Array {
    /// Returns the elements after the one with an id; the first elements if the id is `nil`.
    ///
    /// - Throws: ``UsageError`` if no element has the id.
    package func page(
        after id: String?, limit: Int, _ name: (Element) -> String
    ) throws(UsageError) -> [Element] {
        guard let id else { return Array(prefix(limit)) }
        guard let index = firstIndex(where: { name($0) == id }) else {
            throw UsageError("--after \(id.printable): it isn't in the list any more; list from the start")
        }
        return Array(self[(index + 1)...].prefix(limit))
    }
}

extension Console {
    /// Prints a page as JSON or as a table, followed by the option that continues with the next page.
    ///
    /// - Parameters:
    ///   - name: The name of the array in JSON.
    ///   - columns: The columns of the table; the first one is the id.
    ///   - limit: The size of a full page.
    package func answer<Value>(
        _ page: BoundedPage<Value>, _ name: String, _ document: Document<Value>, _ columns: [LabeledText<Value>],
        asJSON: Bool, limit: Int
    ) {
        let next = page.next.flatMap { last in columns.first?.text(last) }
        answer(page.rows, name, document, columns, asJSON: asJSON, next: next)
        guard let next, !asJSON else { return }
        let isFull = page.rows.count == limit
        note(
            (isFull ? "there may be more" : "older records weren't examined yet") + "; continue with --after \(next)")
    }

    /// Prints values as JSON or as a table.
    ///
    /// - Parameters:
    ///   - name: The name of the array in JSON.
    ///   - columns: The columns of the table.
    ///   - next: The cursor of the next page.
    package func answer<Value>(
        _ values: [Value], _ name: String, _ document: Document<Value>, _ columns: [LabeledText<Value>], asJSON: Bool,
        next: String? = nil
    ) {
        guard !asJSON else {
            return answer { body in
                body.array(name) { list in
                    for value in values { list.object { document.write(value, into: &$0) } }
                }
                body.next(next)
            }
        }
        answer(TextTable(columns, of: values))
    }
}
