import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// An app license found by `tenure license`.
struct KeptAppLicense: ProvidedLicense {
    let license: AppLicense

    var name: String { license.id.description }

    func line(at now: Timestamp) -> String {
        "\(license.id)  \(license.tenant), app \(license.item)  \(license.id.number)  \(license.state(at: now).rawValue)"
    }

    var refusal: String {
        "\(license.id) is an app license, which only its device renews. "
            + "Use `tenure license suspend`, `reinstate`, `revoke`, `return`, `show` or `explain`, which work on app licenses."
    }

    func show(in installation: Installation, asJSON: Bool, on console: Console) async throws {
        let now = installation.clock.now()
        let events = try await installation.store.events(
            .init(tenant: license.tenant, license: license.id), after: 0, limit: 1000)
        guard !asJSON else {
            console.answer { body in
                body.appLicense(license, at: now)
                body.history(events)
            }
            return
        }
        console.answer(AppLicense.page, of: AsOf(license, at: now))
        console.answer(history: events)
    }

    func explain(in installation: Installation, asJSON: Bool, on console: Console) async throws {
        let explanation = try await installation.marketplace().explain(license)
        guard !asJSON else {
            console.answer { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
            }
            return
        }
        console.answer("\(license.id) is \(console.shown(state: explanation.state.rawValue))")
        console.answer("its device gets: \(explanation.reasons.isEmpty ? "a renewal" : "no renewal")")
        console.answer(explanation.reasons, change: "it expires", changesAt: explanation.changesAt, in: installation)
    }

    func perform(
        _ act: LicenseStateAction, in installation: Installation, asJSON: Bool, on console: Console
    ) async throws -> ExitCode {
        let outcome = try await installation.marketplace().perform(
            AppLicense.Act(act), on: license.id, of: license.tenant, by: .commandLine)
        await installation.store.close()
        switch outcome {
        case .done(let license, let changed):
            switch changed {
            case 0: console.note("nothing changed: this was already done")
            case 1: break
            default: console.note("changed \(changed) licenses: the device had earlier ones of this app")
            }
            let license = AsOf(license, at: installation.clock.now())
            if asJSON {
                console.answer { AppLicense.document.write(license, into: &$0) }
            } else {
                console.answer(AppLicense.page, of: license)
            }
            return .done
        case .refused(let refusal):
            console.answer(refusal: refusal, asJSON: asJSON)
            return .failed
        }
    }
}

extension AppLicense.Act {
    fileprivate init(_ act: LicenseStateAction) {
        self =
            switch act {
            case .suspend: .suspend
            case .reinstate: .reinstate
            case .revoke: .revoke
            case .giveBack: .giveBack
            }
    }
}
