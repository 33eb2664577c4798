import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// Performs an operator's action on the license that the arguments name, and prints the result.
enum LicenseAct {
    /// An action, with the values that are needed to perform it and to print its result.
    struct Plan {
        var act: OperatorAct
        /// The full text of a newly minted key, which is shown once; `nil` if no key was minted.
        var newKey: String?
        /// The id of the letter that sends the new key; `nil` for no letter.
        var letter: MailID?
        /// The devices that continue with the replaced key, and the number of those that need the new one; `nil` if no
        /// key is replaced.
        var devices: DevicesOfRekey?
        var reason: StatedReason?
        /// A message for the person after the action; `nil` for none.
        var note: String?
        /// Whether the action is only decided, and nothing is saved.
        var isDry = false
        /// Whether the result also shows the license's end before the action.
        var showsEnds = false
    }

    static func perform(
        _ installations: Installations, _ arguments: Parsed, console: Console,
        plan: (License, CatalogCache, Timestamp) async throws -> Plan
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let license = try await LicenseReference.find(arguments, in: installation, console: console)
        let catalog = try await installation.catalog()
        let licensing = LicensingContext(catalog: catalog, clock: installation.clock)
        let plan = try await plan(license, catalog, installation.clock.now())
        let outcome =
            if plan.isDry {
                try plan.act.outcome(
                    on: license, under: catalog.current, by: .commandLine, at: installation.clock.now()
                ).answer
            } else {
                try await licensing.perform(plan.act, on: license.id, by: .commandLine, mailing: plan.letter)
            }
        await installation.store.close()
        return try answer(outcome, on: license, plan, arguments, installation.clock, console)
    }

    /// Performs an action that licenses of other features support too.
    ///
    /// - Parameter named: The text that names the license on the command line.
    static func perform(
        _ installations: Installations, _ act: OperatorAct, orOnOther stateAction: LicenseStateAction,
        because reason: StatedReason? = nil, on named: String, _ arguments: Parsed, console: Console
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let found = try await LicenseReference.findAny(named, arguments, in: installation, console: console)
        switch found {
        case .product(let license):
            let outcome = try await installation.licensing().perform(
                act, because: reason, on: license.id, by: .commandLine)
            await installation.store.close()
            return try answer(
                outcome, on: license, Plan(act: act, reason: reason), arguments, installation.clock, console)
        case .other(let license):
            if reason != nil {
                throw CommandError("\(license.name) is an app license, which keeps no reasons. Leave out --reason.")
            }
            return try await license.perform(
                stateAction, in: installation, asJSON: arguments[SharedOptions.json], on: console)
        }
    }

    static func answer(
        _ outcome: OperatorActOutcome, on before: License, _ plan: Plan, _ arguments: Parsed,
        _ clock: any WallClock, _ console: Console
    ) throws(CommandError) -> ExitCode {
        switch outcome {
        case .done(let license, let former, let changed):
            if !changed {
                console.note("nothing changed: this was already done")
            } else if plan.isDry {
                console.note("nothing was changed: this is what would result")
            } else if plan.reason != nil, license == before {
                console.note("this was already done; the reason is new")
            }
            LicensePage(
                license: license, newKey: plan.newKey, devices: plan.devices, now: clock.now(),
                before: plan.showsEnds ? former : nil
            )
            .answer(asJSON: arguments[SharedOptions.json], on: console)
            if changed, let note = plan.note { console.note(note) }
            return .done
        case .refused(let refusal):
            console.answer(refusal: refusal, of: before.id.description, asJSON: arguments[SharedOptions.json])
            return .failed
        case .unknownPolicy(let policy):
            throw CommandError(
                "Nothing was changed: the product \(before.product) has no policy \(policy). Choose one from the catalog."
            )
        case .endLeftOpen(let open): throw open.error
        case .notMailable: throw KeyLetter.notMailable(before)
        }
    }
}
