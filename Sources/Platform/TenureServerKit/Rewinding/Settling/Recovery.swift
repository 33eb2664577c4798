import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// Performs `tenure store recovered`, which resolves the loss of a store that returned to an older state, and reports
/// the result.
struct Recovery {
    private let installation: Installation
    private let isSure: Bool
    private var rewound: RewoundStore?
    private var carried: CarriedOver?
    private var isSettled = false
    private var answer = ""
    private var warnings: [String] = []

    /// Creates the operation.
    ///
    /// - Parameter isSure: Whether to accept a loss without asking the user.
    init(of installation: Installation, isSure: Bool) {
        self.installation = installation
        self.isSure = isSure
    }

    /// Accepts the loss, after asking the user unless `--yes` is given. If no loss is recorded, the store changes only
    /// with `--yes`.
    mutating func accept(_ console: Console) async throws {
        let store = installation.store
        rewound = try await SettleRewound.record(in: store)
        guard let rewound else {
            guard isSure else {
                answer =
                    "nothing is to be settled: no server has recorded that this store returned to an older state. If servers "
                    + "refuse it because of its timeline, run the command with --yes"
                return
            }
            try await settle()
            answer = "settled; no loss was recorded, and servers accept the store as it is"
            return
        }
        if !isSure {
            try console.confirm(
                "\(rewound.message) What was issued since is lost, and what was revoked or replaced since, such as a signing "
                    + "key, is valid again.",
                orElse: "Nothing was settled.")
        }
        // A signing key that was replaced in the lost state, perhaps because it leaked, signs again.
        try await KeysBeforeRestore.record(in: store)
        try await Mail.holdWaiting(in: store, at: installation.clock.now())
        try await settle()
        let missing = rewound.missing
        answer = "settled; \(missing) missing \(missing == 1 ? "event is" : "events are") accepted as lost"
    }

    /// Carries over the lost records from another state of the store, and resolves the loss.
    mutating func carry(from address: StoreAddress, by engines: StoreEngines, console: Console) async throws {
        let source = try await LaterStore.open(address, beside: installation.folder?.database, by: engines)
        do {
            guard let other = source.store else {
                throw CommandError(
                    "\(address) can't be read: \(source.fault ?? "the cause is unknown"). Nothing was changed.")
            }
            try await carry(from: other, named: "\(address)", console: console)
        } catch {
            await source.close()
            throw error
        }
        await source.close()
    }

    private mutating func carry(from other: any Store, named name: String, console: Console) async throws {
        let store = installation.store
        let isRewound = try await SettleRewound.record(in: store) != nil
        let operation = try await CarryRecovered(
            from: other, named: name, to: store, under: installation.master, isRewound: isRewound)
        let isContinued = try await operation.continueEvents(at: installation.clock.now())
        rewound = try await SettleRewound.record(in: store)
        let carried = try await operation.carry(
            of: installation.features, under: installation.master, clock: installation.clock, console: console)
        self.carried = carried
        warnings = carried.warnings
        if try await operation.catalogDiffers(of: installation.features) {
            warnings.append(
                "the catalog of \(name) differs. If it was changed before the database went back, apply your catalog file "
                    + "again: `tenure apply FILE`".addingToCommands(installation.namedBy))
        }
        guard carried.isComplete else {
            answer =
                "not settled, because not everything could be read. Repeat the command, or accept that the rest is lost with "
                + "`tenure store recovered`"
            return
        }
        guard carried.given.orphans == 0 else {
            answer =
                "not settled, because \(carried.given.orphans.of("record")) \(carried.given.orphans == 1 ? "needs" : "need") a "
                + "tenant, product or policy that the store lacks. Apply your catalog file and repeat the command, or accept "
                + "that they are lost with `tenure store recovered`"
            return
        }
        if rewound != nil { try await settle() }
        answer =
            rewound == nil && !isContinued && !carried.isChanged
            ? "nothing is to be settled: the store has everything of \(name) that can be taken over"
            : "\(isSettled ? "settled" : "completed")\(carried.takenOver)"
    }

    private mutating func settle() async throws {
        guard try await SettleRewound.settle(rewound, in: installation.store) else {
            throw CommandError(
                "Servers have noticed more losses meanwhile, or the database has returned to an older state once more. "
                    + "Nothing was settled. Run the command again.")
        }
        isSettled = true
    }
}

extension Recovery {
    /// The schema of the report that `tenure store recovered --json` prints.
    static let output = Schema.output([
        ("settled", .boolean), ("noticedAt", .momentOrNull), ("missingEvents", .integer()),
        ("carriedOver", CarriedOver.withdrawnOutput),
        ("unread", .list(of: .output([("kind", .text()), ("cause", .text())]))), ("warnings", .texts),
        ("given", CarriedOver.givenOutput),
    ])

    /// Prints the result. The command fails if the loss couldn't be resolved.
    func report(asJSON: Bool, on console: Console) -> ExitCode {
        let carried = carried ?? CarriedOver()
        if !asJSON { carried.show(on: console) }
        console.answer(answer, asJSON: asJSON) { body in
            body.member("settled", isSettled)
            body.member("noticedAt", rewound?.noticedAt.description)
            body.member("missingEvents", rewound?.missing ?? 0)
            carried.writeWithdrawn(&body)
            body.array("warnings") { list in
                for warning in warnings { list.element(warning) }
            }
            carried.writeGiven(&body)
        }
        for warning in warnings { console.warn(warning) }
        return carried.isComplete && carried.given.orphans == 0 ? .done : .failed
    }
}
