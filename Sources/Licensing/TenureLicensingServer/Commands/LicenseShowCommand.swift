import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license show`.
enum LicenseShowCommand {
    private static let key = Argument.flag(
        "key", "Also show the full key, for a product with \"showKeys\"; this is recorded as an event.")

    static func command(_ installations: Installations) -> Command {
        let others = installations.features.all.compactMap(\.licenses?.outputs)
        return Command(
            "show", "Shows one license with its devices and its history.",
            discussion:
                "If several licenses match, a terminal asks which one; without a terminal the matches are listed and the exit code is 1. --key shows only keys that were issued or replaced with --mail: of others, the store has only a digest.",
            example: "tenure license show NOTE-PRO0-0000-0001\ntenure license show ada@",
            arguments: LicenseReference.arguments + [key, SharedOptions.json, SharedOptions.wide],
            output: others.reduce(
                License.document.output(
                    adding: [
                        ("activations", .list(of: SeenActivation.document.schema)),
                        ("formerKeys", .list(of: ReplacedKey.document.schema)),
                        ("events", .list(of: EventRecord.document.schema)),
                    ], optional: [("licenseKey", .text())])
            ) { $0.or($1.shown) }
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let store = installation.store
            let now = installation.clock.now()
            let asJSON = arguments[SharedOptions.json]
            let found = try await LicenseReference.findAny(
                arguments, in: installation, console: console, for: arguments[key] ? .acting : .showing)
            switch found {
            case .product(let license):
                let keyText = arguments[key] ? try await text(of: license, in: installation) : nil
                let names = try await installation.secrets().names
                let devices = try await store.devices(of: license.id, includingReleased: true).shown(by: names)
                let activations = devices.all
                let formerKeys = try await store.replacedKeys(of: license.id)
                let events = try await store.events(
                    .init(tenant: license.product.tenant, license: license.id), after: 0, limit: 1000
                ).map(names.shown)
                guard !asJSON else {
                    console.answer { body in
                        if let keyText { body.member("licenseKey", keyText) }
                        body.license(license, at: now)
                        body.array("activations") { list in
                            for activation in activations { list.object { $0.activation(activation) } }
                        }
                        body.formerKeys(formerKeys)
                        body.history(events)
                    }
                    break
                }
                if let keyText { console.answer("license key  \(keyText)") }
                LicensePage(license: license, now: now).answer(asJSON: false, on: console)
                console.answer("")
                console.answer(TextTable(SeenActivation.columns, of: activations))
                devices.noteHidden(on: console)
                if !formerKeys.isEmpty { console.answer("") }
                for key in formerKeys { console.answer(key.sentence(of: nil).printable) }
                let deviceNames = Dictionary(
                    uniqueKeysWithValues: activations.map { ($0.activation.id, $0.activation.name) })
                console.answer(history: events, naming: deviceNames)
            case .other(let license) where arguments[key]: throw CommandError(license.refusal)
            case .other(let license): try await license.show(in: installation, asJSON: asJSON, on: console)
            }
            await store.close()
            return .done
        }
    }

    /// The full text of a license's key.
    private static func text(of license: License, in installation: Installation) async throws -> String {
        switch try await installation.licensing().showKey(of: license.id, by: .commandLine) {
        case .shown(let text, _): return text.text
        case .notAllowed:
            throw CommandError(
                "The keys of \(license.product) aren't shown. Add \"showKeys\": true to the product in the catalog file, "
                    + "and run `tenure apply FILE`.")
        case .keyNotKept, .unknownLicense:
            throw CommandError(
                "The key of \(license.id) can't be computed, so it can't be shown. Run `tenure license rekey "
                    + "\(license.id) --keep-devices --mail` to replace it.")
        }
    }
}

/// A license as text or as JSON.
struct LicensePage {
    let license: License
    /// The full text of a newly minted key, to be shown once; `nil` if no key was minted.
    var newKey: String?
    /// The devices that continue with the replaced key, and the number of those that need the new one; `nil` if no key
    /// was replaced.
    var devices: DevicesOfRekey?
    let now: Timestamp
    /// Whether an earlier command with the same idempotency key was carried out, and this one changed nothing.
    var isRepeated = false
    /// The license before the change, for a result that shows both ends of the term; otherwise `nil`.
    var before: License?

    func answer(asJSON: Bool, on console: Console) {
        let changed = before.map { ChangedLicense(AsOf(license, at: now), before: $0) }
        guard asJSON else {
            console.answer(
                License.page(of: AsOf(license, at: now))
                    + (changed.map { changed in [LabeledText("end") { _ in changed.ends }] } ?? []),
                of: AsOf(license, at: now), after: newKey.map { "license key  \($0)   (shown once)" })
            devices?.answer(on: console)
            return
        }
        console.answer { body in
            if let newKey { body.member("licenseKey", newKey) }
            if let changed {
                ChangedLicense.document.write(changed, into: &body)
            } else {
                body.license(license, at: now)
            }
            devices?.write(into: &body)
            if isRepeated { body.member("repeated", true) }
        }
    }
}
