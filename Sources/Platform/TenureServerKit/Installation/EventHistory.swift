import TenureCommandLine
package import TenureCore
import TenureFormats

extension Console {
    /// Prints the events of a license as a table.
    ///
    /// - Parameter names: The names of devices, by activation. Events contain no names, because names in events
    ///   couldn't be erased.
    package func answer(history events: [EventRecord], naming names: [ActivationID: String] = [:]) {
        answer("")
        var history = TextTable([.text("when"), .text("event"), .text("by"), .text("facts")])
        for record in events {
            let device = record.event.subject.activation.flatMap { names[$0] }
            let facts =
                (device.map { ["device=\($0)"] } ?? [])
                + record.event.facts.map { "\($0.name)=\($0.textForPeople)" }
            history.add([
                record.event.at.local, record.event.kind.text, record.event.actor.description,
                facts.joined(separator: " "),
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
