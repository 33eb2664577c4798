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
        let now = installation.clock.now()
        let asJSON = arguments[SharedOptions.json]
        switch try await LicenseReference.findAny(arguments, in: store, console: console) {
        case .product(let license):
            let activations = try await store.activations(of: license.id, includingReleased: true)
            let events = try await store.events(.init(license: license.id), after: 0, limit: 1000)
            guard !asJSON else {
                console.answer { body in
                    body.license(license, at: now)
                    body.array("activations") { list in
                        for activation in activations { list.object { $0.activation(activation) } }
                    }
                    body.history(events)
                }
                break
            }
            LicensePage(license: license, now: now).answer(asJSON: false, on: console)
            console.answer("")
            console.answer(ActivationPage.table(activations))
            answer(history: events, on: console)
        case .app(let license):
            let events = try await store.events(.init(license: license.id), after: 0, limit: 1000)
            guard !asJSON else {
                console.answer { body in
                    body.appLicense(license, at: now)
                    body.history(events)
                }
                break
            }
            AppLicensePage.answer(license, at: now, asJSON: false, on: console)
            answer(history: events, on: console)
        }
        await store.close()
        return .done
    }

    private static func answer(history events: [EventRecord], on console: Console) {
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
}

extension JSONObjectWriter {
    fileprivate mutating func history(_ events: [EventRecord]) {
        array("events") { list in
            for event in events { list.object { $0.event(event) } }
        }
    }
}
