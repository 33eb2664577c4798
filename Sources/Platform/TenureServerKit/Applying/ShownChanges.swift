import TenureCommandLine
import TenureFormats

/// Prints the changes of `tenure apply`, one per line, and counts them.
///
/// A catalog file may contain thousands of license keys. Therefore, text output has only the first changes of each
/// kind and the number of the others. JSON output has every change.
struct ShownChanges {
    /// The maximum number of printed lines per kind of change.
    private static let most = 20

    private let console: Console
    private let asJSON: Bool
    private var counts: [Key: Int] = [:]
    private var order: [Key] = []
    /// The number of changes that were or would be made.
    private(set) var changed = 0

    private struct Key: Hashable {
        let verb: PlannedChange.Verb
        let kind: String
    }

    init(on console: Console, asJSON: Bool) {
        self.console = console
        self.asJSON = asJSON
    }

    mutating func show(_ change: PlannedChange) {
        if change.verb.isChange { changed += 1 }
        guard !asJSON else {
            return console.answer { body in
                body.member("change", change.verb.rawValue)
                body.member("kind", change.kind)
                body.member("name", change.name)
                body.member("detail", change.detail)
            }
        }
        let key = Key(verb: change.verb, kind: change.kind)
        let count = counts[key, default: 0] + 1
        if count == 1 { order.append(key) }
        counts[key] = count
        // Notes and unchanged items are never left out.
        if count <= Self.most || !change.verb.isChange { console.answer(change.description.withLocalDates.printable) }
    }

    /// Prints how many changes were left out.
    func end() {
        for key in order where key.verb.isChange {
            let more = counts[key, default: 0] - Self.most
            if more > 0 { console.answer("\(key.verb.sign) \(key.kind): \(more) more; --json lists them all") }
        }
    }
}
