import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureStore

/// The command `tenure license explain`.
enum LicenseExplainCommand {
    static let command = Command(
        "explain", "Explains a license's state and how to fix every problem.",
        example: "tenure license explain NOTE-EXPD-0000-0003",
        arguments: LicenseReference.arguments + [SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let asJSON = arguments[SharedOptions.json]
        switch try await LicenseReference.findAny(arguments, in: installation.store, console: console) {
        case .product(let license):
            let explain = ExplainLicense(store: installation.store, catalog: catalog, clock: installation.clock)
            answer(try await explain(license), of: license, asJSON: asJSON, on: console)
        case .app(let license):
            let explain = ExplainAppLicense(store: installation.store, catalog: catalog, clock: installation.clock)
            answer(try await explain(license), of: license, asJSON: asJSON, on: console)
        }
        await installation.store.close()
        return .done
    }

    private static func answer(
        _ explanation: LicenseExplanation, of license: License, asJSON: Bool, on console: Console
    ) {
        guard !asJSON else {
            console.answer { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
            }
            return
        }
        console.answer("\(license.id) is \(explanation.state.rawValue)")
        console.answer(
            "an activated device gets: \(explanation.lease.map { "a lease, \($0.rawValue)" } ?? "no lease")")
        answer(explanation.reasons, changesAt: explanation.changesAt, on: console)
    }

    private static func answer(
        _ explanation: AppLicenseExplanation, of license: AppLicense, asJSON: Bool, on console: Console
    ) {
        guard !asJSON else {
            console.answer { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
            }
            return
        }
        console.answer("\(license.id) is \(explanation.state.rawValue)")
        console.answer("its device gets: \(explanation.reasons.isEmpty ? "a renewal" : "no renewal")")
        answer(explanation.reasons, changesAt: explanation.changesAt, on: console)
    }

    private static func answer(_ reasons: [Reason], changesAt: Timestamp?, on console: Console) {
        if let changesAt { console.answer("this changes automatically on \(changesAt)") }
        for reason in reasons {
            console.answer("- \(reason.message) [\(reason.code)]")
            for fact in reason.evidence { console.answer("    \(fact.name): \(fact.value.text)") }
            console.answer("    to fix: \(reason.cure)")
        }
        if reasons.isEmpty { console.answer("there are no problems") }
    }
}
