import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure license show`
enum LicenseShowCommand {
    static let command = Command(
        "show", "Shows one license with its devices and its history.",
        example: "tenure license show NOTE-PRO0-0000-0001",
        arguments: LicenseReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let store = installation.store
        let license = try await LicenseReference.find(arguments, in: store, console: console)
        let now = installation.clock.now()
        let activations = try await store.activations(of: license.id, includingReleased: true)
        let events = try await store.events(.init(license: license.id), after: 0, limit: 1000)
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.license(license, at: now)
                body.array("activations") { list in
                    for activation in activations { list.object { $0.activation(activation) } }
                }
                body.array("events") { list in
                    for event in events { list.object { $0.event(event) } }
                }
            }
        } else {
            LicensePage(license: license, now: now).answer(asJSON: false, on: console)
            console.answer("")
            console.answer(ActivationPage.table(activations))
            console.answer("")
            var history = Table([.text("when"), .text("event"), .text("by"), .text("facts")])
            for record in events {
                let facts = record.event.detail.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
                history.add([
                    record.event.at.description, record.event.kind.text, record.event.actor.description, facts,
                ])
            }
            console.answer(history)
        }
        await store.close()
        return .done
    }
}
