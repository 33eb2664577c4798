import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The command `tenure license show`.
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
            let names = installation.master.names
            let activations = try await store.activations(of: license.id, includingReleased: true).map(names.shown)
            let events = try await store.events(.init(license: license.id), after: 0, limit: 1000).map(names.shown)
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
        var history = TextTable([.text("when"), .text("event"), .text("by"), .text("facts")])
        for record in events {
            let facts = record.event.facts.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
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

/// A license as text or as JSON.
struct LicensePage {
    let license: License
    /// The full text of a newly minted key, to be shown once.
    var newKey: String?
    let now: Timestamp

    private var lines: [String] {
        (newKey.map { ["license key  \($0)   (shown once)"] } ?? []) + [
            "license   \(license.id)",
            "key       \(license.key.masked)",
            "product   \(license.product)",
            "policy    \(license.policy)",
            "holder    \(license.holder ?? "-")",
            "state     \(license.state(at: now).rawValue)",
            "term      \(license.term.start) \(license.term.end.map { "to \($0)" } ?? "with no end")",
            "issued    \(license.issuedAt)",
            "activated \(license.firstActivatedAt?.description ?? "never")",
        ]
    }

    /// Prints the license as JSON or as text.
    func answer(asJSON: Bool, on console: Console) {
        guard asJSON else {
            console.answer(lines: lines)
            return
        }
        console.answer { body in
            if let newKey { body.member("licenseKey", newKey) }
            body.license(license, at: now)
        }
    }
}

/// Prints a refusal; the text contains each reason with its remedy.
extension Console {
    func answer(refusal: Refusal, asJSON: Bool) {
        if asJSON {
            answer { body in
                body.member("error", refusal.first.message)
                body.refusal(refusal)
            }
        } else {
            for reason in refusal.reasons { fail("\(reason.message) \(reason.cure) [\(reason.code)]") }
        }
    }
}

/// App licenses as text, as a table or as JSON.
enum AppLicensePage {
    static func answer(_ license: AppLicense, at now: Timestamp, asJSON: Bool, on console: Console) {
        guard !asJSON else {
            console.answer { $0.appLicense(license, at: now) }
            return
        }
        console.answer(lines: [
            "license   \(license.id)",
            "number    \(license.id.number)",
            "app       \(license.item), version \(license.asset.version)",
            "asset     \(license.asset.asset)",
            "tenant    \(license.tenant)",
            "account   \(license.account?.text ?? "-")",
            "device    \(license.device.shortText)",
            "state     \(license.state(at: now).rawValue)"
                + (license.isReplaced ? ", replaced by a newer license" : ""),
            "term      \(license.term.start) \(license.term.end.map { "to \($0)" } ?? "with no end")",
            "issued    \(license.issuedAt)",
            "failed    \(license.failedAt.map { "a renewal was refused on \($0)" } ?? "no renewal refused in this term")",
        ])
    }

    static func table(_ licenses: [AppLicense], at now: Timestamp) -> TextTable {
        var table = TextTable([
            .text("license"), .text("app"), .text("version"), .text("account"), .text("device"), .text("state"),
            .text("ends"),
        ])
        for license in licenses {
            table.add([
                license.id.description, license.item.description, license.asset.version.description,
                license.account?.text ?? "-", license.device.shortText, license.state(at: now).rawValue,
                license.term.end?.description ?? "never",
            ])
        }
        return table
    }
}
