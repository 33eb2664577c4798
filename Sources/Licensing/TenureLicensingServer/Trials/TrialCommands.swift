import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command group `tenure trial`.
enum TrialCommands {
    static let device = Argument.positional(
        "DEVICE",
        "The device's code, as its app and `tenure trial list` show it, or at least eight digits of its hash.",
        as: ArgumentReading<DevicePrefix>.devicePrefix)
    private static let days = Argument.required(
        "days", "N", "How many days to add, counted from now if the trial has ended.",
        as: ArgumentReading<Int>.int(in: 1...3650))
    private static let state: Argument<TrialState?> = .optional(
        "state", "STATE", "List only trials in this state.", as: .choice())
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of trials.", as: .int(in: 1...1000), default: 100)
    private static let after: Argument<TrialCursor?> = .optional(
        "after", "TRIAL", "Start after this trial, as `next` of the previous page names it.", as: .trialCursor)
    static let filter: [any DeclaredArgument] = [SharedOptions.tenant, SharedOptions.product]

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "trial", "Lists, shows, extends and resets the trials of devices.",
            discussion:
                "The server records a trial per device and product, for apps that use the Tenure dialect. Apps that use Keylight's protocol count their trial themselves.",
            example: "tenure trial list --tenant acme --product notes",
            commands: [list(installations), show(installations), extend(installations), reset(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists trials, those that began last first.",
            example: "tenure trial list --tenant acme --product notes --state running",
            arguments: filter + [state, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page("trials", of: ShownTrial.document.schema)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let products = try await products(arguments, in: installation)
            let now = installation.clock.now()
            let (shown, next) = try await installation.store.latestTrials(
                of: products, arguments[state], after: arguments[after], at: now, limit: arguments[limit])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("trials") { list in
                        for trial in shown { list.object { ShownTrial.document.write(trial, into: &$0) } }
                    }
                    body.next(next?.text)
                }
                return .done
            }
            console.answer(TextTable(ShownTrial.columns, of: shown))
            if shown.isEmpty, arguments[after] == nil, next == nil {
                console.note(whyEmpty(products, arguments[state]))
            }
            if let next { console.note("there are more; continue with --after \(next.text)") }
            return .done
        }
    }

    private static func whyEmpty(_ products: [Product], _ state: TrialState?) -> String {
        if products.allSatisfy({ $0.trialDays == 0 }) {
            return "no product here offers a trial; set its `trialDays` in the catalog"
        }
        if let state { return "no trial is \(state.rawValue); without --state there may be some" }
        return "no device has begun a trial at this server; apps that use Keylight's protocol count theirs themselves"
    }

    private static func show(_ installations: Installations) -> Command {
        Command(
            "show", "Shows the trial of a device.",
            example: "tenure trial show 3f2b-7c1e-90ab --tenant acme --product notes",
            arguments: [device] + filter + [SharedOptions.json] + SharedOptions.installation,
            output: ShownTrial.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let trial = try await find(arguments, in: installation)
            await installation.store.close()
            answer(trial, arguments, console)
            return .done
        }
    }

    private static func extend(_ installations: Installations) -> Command {
        Command(
            "extend", "Gives a device's trial more days.",
            discussion:
                "The app learns of it at its next check: daily while the trial runs, or when its user starts the trial again or checks for a license. Repeating the command adds the days again, except with the same --idempotency-key.",
            example: "tenure trial extend 3f2b-7c1e-90ab --days 7 --tenant acme --product notes",
            arguments: [device, days] + filter + [RepeatableRequest.option, SharedOptions.json]
                + SharedOptions.installation,
            output: ShownTrial.document.output(optional: [("repeated", .boolean)])
        ) { arguments, console in
            try await change(
                installations, .extend(days: arguments[days]), once: ("trial extend", [days]), arguments, console)
        }
    }

    /// Finds the trial that the arguments name, changes it and prints it.
    ///
    /// - Parameters:
    ///   - once: The command and the arguments that decide what it does, for a command with an idempotency key.
    ///   - confirm: Asks the person; throws if they decline.
    static func change(
        _ installations: Installations, _ act: TrialAct, once: (command: String, deciding: [any DeclaredArgument]),
        _ arguments: Parsed, _ console: Console, confirm: (Trial) throws -> Void = { _ in }
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let found = try await find(arguments, in: installation)
        try confirm(found.trial)
        let request = RepeatableRequest.command(
            arguments, once.command, deciding: once.deciding, on: "\(found.product.ref):\(found.device)",
            of: found.product.ref.tenant)
        let outcome = try await installation.licensing().changeTrialOnce(
            request, found.trial.name, act, by: .commandLine
        ) { decision in
            decision?.outcome == nil ? nil : RepeatableAnswer([], records: [found.number])
        }
        await installation.store.close()
        guard case .done(let decision) = outcome else {
            if case .keyReused = outcome { throw RepeatableRequest.keyReused(arguments) }
            answer(found, isRepeated: true, arguments, console)
            console.note(RepeatableRequest.repetitionNote)
            return .done
        }
        switch decision {
        case nil: throw CommandError("The product \(found.trial.product) is no longer in the catalog.")
        case .refused(let refusal):
            console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
            return .failed
        case .granted(let trial):
            answer(found.changed(to: trial, at: found.now), arguments, console)
            return .done
        }
    }

    private static func answer(
        _ trial: ShownTrial, isRepeated: Bool = false, _ arguments: Parsed, _ console: Console
    ) {
        if arguments[SharedOptions.json] {
            console.answer { body in
                ShownTrial.document.write(trial, into: &body)
                if isRepeated { body.member("repeated", true) }
            }
        } else {
            console.answer(ShownTrial.page, of: trial)
        }
    }

    /// The products that match the tenant and the product's id in the arguments; all products if the arguments name
    /// neither.
    private static func products(_ arguments: Parsed, in installation: Installation) async throws -> [Product] {
        let catalog = try await installation.catalog().current.catalog
        let (tenant, product) = (arguments[SharedOptions.tenant], arguments[SharedOptions.product])
        try catalog.check(tenant: tenant, product: product, policy: nil)
        return catalog.tenants.values.filter { tenant == nil || $0.id == tenant }.flatMap(\.products.values)
            .filter { product == nil || $0.ref.product == product }
            .sorted { $0.ref.description < $1.ref.description }
    }

    /// Finds the trial that the arguments name; throws with the candidates if several match.
    private static func find(_ arguments: Parsed, in installation: Installation) async throws -> ShownTrial {
        let now = installation.clock.now()
        var found: [ShownTrial] = []
        for product in try await products(arguments, in: installation) {
            found += try await installation.store.trials(of: product, arguments[device], at: now)
        }
        guard let trial = found.first else {
            throw CommandError(
                "No trial of that device is recorded. Run `tenure trial list` to see the trials that began last. A device "
                    + "without a network records its trial at its next request.")
        }
        guard found.count == 1 else {
            throw CommandError(
                "Several trials match; add digits, --tenant or --product:"
                    + found.map { "\n  \($0.device)  \($0.trial.product)  \($0.trial.start.local)" }.joined())
        }
        return trial
    }
}
