import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license explain`.
enum LicenseExplainCommand {
    static func command(_ installations: Installations) -> Command {
        let others = installations.features.all.compactMap(\.licenses?.outputs)
        return Command(
            "explain", "Explains a license's state and how to fix every problem.",
            discussion: "Commands in its answer can be copied: they name the license and the installation.",
            example: "tenure license explain NOTE-EXPD-0000-0003",
            arguments: LicenseReference.arguments + [SharedOptions.json],
            output: others.reduce(
                License.Explanation.document.output(
                    adding: [("license", .text()), ("formerKeys", .list(of: ReplacedKey.document.schema))])
            ) {
                $0.or($1.explained)
            }
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let asJSON = arguments[SharedOptions.json]
            switch try await LicenseReference.findAny(arguments, in: installation, console: console, for: .showing) {
            case .product(let license):
                answer(
                    try await installation.licensing().explain(license), of: license,
                    try await installation.store.replacedKeys(of: license.id), in: installation, asJSON: asJSON,
                    on: console)
            case .other(let license): try await license.explain(in: installation, asJSON: asJSON, on: console)
            }
            await installation.store.close()
            return .done
        }
    }

    private static func answer(
        _ explanation: License.Explanation, of license: License, _ formerKeys: [ReplacedKey],
        in installation: Installation, asJSON: Bool,
        on console: Console
    ) {
        guard !asJSON else {
            console.answer { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
                body.formerKeys(formerKeys)
            }
            return
        }
        console.answer("\(license.id) is \(console.shown(state: explanation.state.rawValue))")
        console.answer(
            "an activated device gets: \(explanation.lease.map { "a lease, \($0.rawValue)" } ?? "no lease")")
        if license.isTest {
            console.answer("it was paid with test money, so it ends seven days after it was issued, whatever is paid")
        }
        // While a grace period runs, `changesAt` is its end instead of the term's.
        let isTerm = license.term.end == explanation.changesAt
        let expiry =
            license.settled(at: installation.clock.now()).terms.unstarted == nil
            ? "it expires" : "at the latest, it expires"
        console.answer(
            explanation.reasons, change: isTerm ? expiry : "its grace period ends", changesAt: explanation.changesAt,
            in: installation)
        for note in explanation.notes {
            console.answer("- note: \(note.message.withLocalDates) [\(note.code)]")
            console.answer(
                "    what helps: \(note.cure.withLocalDates.addingToCommands(installation.namedBy))")
        }
        for key in formerKeys { console.answer("- \(key.sentence(of: nil))".printable) }
        for act in explanation.statedActs { console.answer("- \(act.sentence)".printable) }
    }
}

extension StatedAct {
    /// The act and its reason in one line.
    fileprivate var sentence: String {
        let act =
            switch kind {
            case .licenseSuspended: "suspended"
            case .licenseRevoked: "revoked"
            default: "released \(device.map { $0.isEmpty ? "a device" : $0 } ?? "a device")"
            }
        let readers = reason.isTold ? "the holder may read this" : "not shown to the holder"
        return "\(act) on \(at.local) because: \(reason.text) (\(readers))"
    }
}
