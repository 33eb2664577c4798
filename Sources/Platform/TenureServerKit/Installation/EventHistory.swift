import TenureCommandLine
import TenureCore
import TenureFormats

extension Console {
    /// Prints the events of a license as a table.
    package func answer(history events: [EventRecord]) {
        answer("")
        var history = TextTable([.text("when"), .text("event"), .text("by"), .text("facts")])
        for record in events {
            let facts = record.event.facts.map { "\($0.name)=\($0.textForPeople)" }.joined(separator: " ")
            history.add([
                record.event.at.local, record.event.kind.text, record.event.actor.description, facts,
            ])
        }
        answer(history)
    }
}

extension JSONObjectWriter {
    /// Writes the events of a license.
    package mutating func history(_ events: [EventRecord]) {
        array("events") { list in
            for event in events { list.object { $0.event(event) } }
        }
    }
}
