import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure license explain`
enum LicenseExplainCommand {
    static let command = Command(
        "explain", "Says where a license stands and why, with every cure.",
        example: "tenure license explain NOTE-EXPD-0000-0003",
        arguments: LicenseReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let license = try await LicenseReference.find(arguments, in: installation.store, console: console)
        let explain = ExplainLicense(
            store: installation.store, catalog: try await installation.catalog(), clock: installation.clock)
        let explanation = try await explain(license)
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
            }
        } else {
            console.answer("\(license.id) is \(explanation.state.rawValue)")
            console.answer(
                "a device that holds a seat gets: \(explanation.lease.map { "a lease, \($0.rawValue)" } ?? "no lease")")
            if let moment = explanation.changesAt { console.answer("this changes by itself on \(moment)") }
            for reason in explanation.reasons {
                console.answer("- \(reason.sentence) [\(reason.code)]")
                for fact in reason.evidence { console.answer("    \(fact.name): \(fact.value.text)") }
                console.answer("    cure: \(reason.cure)")
            }
            if explanation.reasons.isEmpty { console.answer("nothing stands in the way") }
        }
        await installation.store.close()
        return .done
    }
}
