import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// A database file, made from a backup, that can replace the store.
///
/// The file has been checked and migrated to the current schema. Unless `--as-copied` is given, it contains the
/// revocations that later stores added since the backup was made.
struct RestoredFile {
    /// The stores that may have changed after the backup was made, and what to carry over from them.
    struct Later {
        /// The store that `--carry-from` names, which must be a later state of the backed-up store; `nil` without the
        /// option.
        var named: StoreAddress?
        /// The store that is being replaced; `nil` if there is none.
        var replaced: StoreAddress?
        /// Whether to carry no revocations over. Records that were issued or changed since the backup are still
        /// listed.
        var isIgnored = false
        /// Whether to list or to carry over records that were issued or changed since the backup.
        var given = CarryIssued.Mode.list
    }

    /// The path of the new database file, which no server uses yet.
    let path: String
    private let engines: StoreEngines
    private let features: FeatureSet
    private var carried = CarriedOver()
    private var histories: [EventsSince] = []
    /// Whether the replaced store's catalog differs from the restored one.
    private(set) var losesCatalog = false
    private var isAlone = false
    /// The path to which the replaced store was moved; `nil` if none was replaced.
    var aside: String?
    /// The options of the installation, for commands that the report names.
    var installationOptions = ""
    private var lastCopied: ContinueEvents.Numbers = [:]
    private var lastEvents: ContinueEvents.Numbers?
    private var eventsFrom: ContinueEvents.Numbers = [:]
    private var warnings: [String] = []
    /// Sentences about records that the restored store gets back automatically.
    private var returns: [String] = []
    /// The master keys of the later stores, which encrypted the carried-over secrets.
    private var laterKeys: [MasterKey] = []

    /// Creates the file. The backup isn't modified.
    ///
    /// - Parameter formerKey: The master key of the backup, if the store's key was changed since.
    /// - Throws: An error if the backup is damaged or needs another master key. No file is left behind in that case.
    static func make(
        from copy: String, at path: String, key: MasterKeyFile, formerKey: MasterKeyFile?, later: Later,
        clock: any WallClock, by engines: StoreEngines, features: FeatureSet, console: Console
    ) async throws -> RestoredFile {
        let store = try await soundCopy(copy, at: path, key, formerKey, by: engines, console: console)
        do {
            if let formerKey {
                try await replace(formerKey, by: key, in: store, of: features, clock: clock, console: console)
            }
            let state = try await MasterKeyState.read(from: store)
            let master = (try? key.read()).flatMap { state.resolved($0) }
            var restored = RestoredFile(path: path, engines: engines, features: features)
            try await restored.finish(store, later, under: master, clock: clock, console: console)
            await store.close()
            return restored
        } catch {
            await store.close()
            engines.files.remove(path)
            throw error
        }
    }

    /// Copies the backup and opens the copy. Throws if the copy is damaged or clearly needs another master key.
    private static func soundCopy(
        _ copy: String, at path: String, _ key: MasterKeyFile, _ formerKey: MasterKeyFile?, by engines: StoreEngines,
        console: Console
    ) async throws -> any Store {
        let store: any Store
        let faults: [String]
        let schemaFaults: [SchemaFault]
        do throws(StoreError) {
            try engines.files.copy(copy, path)
            store = try engines.sqlite(path, false)
            schemaFaults = try await store.schemaFaults(of: engines.schema)
            faults = schemaFaults.isEmpty ? try await engines.faults(store) : []
        } catch {
            engines.files.remove(path)
            throw unusable(copy, error)
        }
        do {
            guard schemaFaults.isEmpty else { throw otherSchema(copy, schemaFaults) }
            guard faults.isEmpty else {
                throw CommandError(
                    "\(copy) can't be restored: it is damaged (\(faults.joined(separator: "; "))). Choose another backup. "
                        + "Nothing was changed.")
            }
            try await check(key, formerKey, of: store, from: copy, console: console)
            return store
        } catch {
            await store.close()
            engines.files.remove(path)
            throw error
        }
    }

    /// The error for a copy whose schema isn't the schema of its version. A trigger in such a copy could undo
    /// revocations unnoticed.
    private static func otherSchema(_ copy: String, _ faults: [SchemaFault]) -> CommandError {
        let told = faults.map { "\($0.object) \($0.sentence)" }.joined(separator: "; ")
        return CommandError(
            "Nothing was changed, because the schema of \(copy) isn't the one that Tenure creates: \(told.printable). Restore "
                + "another backup. If you know the cause, `tenure migrate-store --from sqlite:FILE --to sqlite:NEW.sqlite` "
                + "copies the rows into a sound file, which you can check and restore.")
    }

    private static func check(
        _ key: MasterKeyFile, _ formerKey: MasterKeyFile?, of store: any Store, from copy: String, console: Console
    ) async throws {
        let state = try await MasterKeyState.read(from: store)
        guard state.checkValue != nil else { return }
        if let formerKey {
            guard state.resolved(try formerKey.read()) != nil else {
                throw CommandError(
                    "Nothing was changed, because \(formerKey.path) is not the master key of \(copy). Pass the one that the store had when the copy was made."
                )
            }
            _ = try key.read()
            return
        }
        guard key.exists else {
            return console.warn(
                "the copy needs its original master key: put the key at \(key.path), or pass it with --master-key-file"
            )
        }
        guard state.resolved(try key.read()) != nil else {
            throw CommandError(
                "Nothing was changed, because \(key.path) is not the master key of \(copy). Put the right one in its place. If the key was changed after the copy was made, also pass the former one with --former-key-file FILE."
            )
        }
    }

    /// Encrypts the secrets of the copy under the key that replaced the copy's own.
    private static func replace(
        _ formerKey: MasterKeyFile, by key: MasterKeyFile, in store: any Store, of features: FeatureSet,
        clock: any WallClock, console: Console
    ) async throws {
        let state = try await MasterKeyState.read(from: store)
        let next = try key.read()
        // The copy may have been made during a change of its master key, so its secrets may be encrypted under several
        // keys.
        let joined = next.decrypting(with: [state.resolved(try formerKey.read())].compactMap(\.self))
        let rotation = RotateMasterKey(store, of: features.schema)
        let bar = console.progress("changing the master key", total: try await rotation.rows())
        try await rotation.encryptAnew(under: joined, report: bar.advance)
        bar.finish()
        try await rotation.finishCopy(under: joined, at: clock.now())
    }

    private mutating func finish(
        _ store: any Store, _ later: Later, under master: MasterKey?, clock: any WallClock, console: Console
    ) async throws {
        var (isCarried, compared): (Bool, [LaterStore]) = (false, [])
        carried = CarriedOver(later.given)
        lastCopied = try await ContinueEvents.last(of: store)
        for (address, isNamed) in [(later.named, true), (later.replaced, false)] {
            guard let address, isNamed || address != later.named else { continue }
            let source = try await LaterStore.open(address, beside: "\(path)\(compared.count)", by: engines)
            do {
                let fault = try await take(
                    source, address, to: store, under: master, isIgnored: later.isIgnored, clock, console)
                if let fault, isNamed { throw CommandError("\(fault). Nothing was changed.") }
                if let fault { warnings.append(fault) } else { isCarried = true }
                if fault == nil { compared.append(source) } else { await source.close() }
            } catch {
                for source in compared + [source] { await source.close() }
                throw error
            }
        }
        if carried.given.isCarried, compared.isEmpty { throw Self.nothingToTake(warnings.last) }
        do {
            // Runs after the revocations of all later stores were applied. A later store that lacks a renewal has an
            // earlier end of the license, which must not count as a revocation.
            for (position, source) in compared.compactMap(\.store).enumerated() {
                var others = histories
                let history = others.remove(at: position)
                try await CarryIssued(later.given, of: features, under: master).carry(
                    from: source, to: store, history: history, others: others, at: clock.now(),
                    adding: &carried.given)
            }
            if let last = compared.last?.store,
                try await CatalogDifference.exists(between: last, and: store, of: features)
            {
                losesCatalog = true
            }
        } catch {
            for source in compared { await source.close() }
            throw error
        }
        for source in compared { await source.close() }
        if let master, laterKeys.contains(where: { !$0.encrypts(like: master) }) {
            let keys = master.decrypting(with: laterKeys)
            try await RotateMasterKey(store, of: features.schema).encryptAnew(under: keys) { _ in }
        }
        if let master, !carried.given.isCarried {
            for feature in features.all { returns += try await feature.returnsAfterRestore(store, master) }
        }
        isAlone = later.isIgnored || !isCarried
        if later.isIgnored {
            warnings.append("nothing was carried over: everything revoked after the copy was made is valid again")
        } else if !isCarried {
            warnings.append(Self.nothingToCompare)
        }
        // The backup's clock mark is out of date, so it says nothing about the current clock.
        try await ClockWatch.Mark.forget(in: store)
    }

    /// Carries over a later store's revocations and remembers its last event numbers. Returns the reason if the later
    /// store can't be used, or `nil` on success.
    private mutating func take(
        _ source: LaterStore, _ address: StoreAddress, to store: any Store, under master: MasterKey?, isIgnored: Bool,
        _ clock: any WallClock, _ console: Console
    ) async throws -> String? {
        guard let later = source.store else {
            return "\(address) can't be read: \(source.fault ?? "the cause is unknown")"
        }
        let relation = try await RestoreReplay.relation(of: later, to: store)
        if relation == .stranger { return "\(address) belongs to another installation" }
        // Clients continue after the last event number they saw, which any store of this installation may have issued.
        if let last = try? await ContinueEvents.last(of: later) {
            lastEvents = (lastEvents ?? [:]).merging(last, uniquingKeysWith: max)
        }
        if relation == .otherHistory {
            return "\(address) is not a later state of the copied store: it lacks the copy's last event"
        }
        let history = await EventsSince.read(from: later, after: lastCopied)
        histories.append(history)
        if isIgnored { return nil }
        if let master {
            let state = try await MasterKeyState.read(from: later)
            guard let key = state.resolved(master) else {
                throw CommandError(
                    "The master key of \(address) was changed after the copy was made. Nothing was changed. Pass the present key with --master-key-file FILE, and the copy's with --former-key-file FILE."
                )
            }
            laterKeys.append(key)
        }
        let restoreExclusions = features.restoreExclusions
        let bar = console.progress("carrying over", total: restoreExclusions.count)
        let steps = Share()
        let outcome = try await RestoreReplay(restoreExclusions).replay(from: later, to: store, at: clock.now()) {
            done, _ in
            bar.advance(by: steps.advance(to: done))
        }
        bar.finish()
        carried.add(outcome, of: histories.count - 1) { history[$0] }
        return nil
    }

    /// Makes the restored store's next event numbers larger than every number that was issued before.
    ///
    /// Also records the restore in the store for servers and later commands.
    mutating func continueEvents(in store: any Store, clock: any WallClock) async throws {
        eventsFrom = try await ContinueEvents(in: store).recordRestore(
            after: lastEvents, at: clock.now(), by: .commandLine)
        try await carried.given.events.record(in: store)
        try await HistoryID.renew(in: store)
        guard isAlone else { return }
        try await KeysBeforeRestore.record(in: store)
        try await Mail.holdWaiting(in: store, at: clock.now())
    }

    private static let nothingToCompare =
        "there is no store to compare with. Licenses that were issued after the copy was made, renewals, changes, "
        + "trials, tokens and changes of the catalog are lost. Anything revoked since may be valid again: "
        + "revoked or suspended licenses, released devices, and keys, tokens, links and passwords that "
        + "were replaced or ended. Check your own records for both"

    /// The error for `--carry-issued` without a store to carry records over from.
    ///
    /// - Parameter cause: The reason why the replaced store can't be used; `nil` if no store is replaced.
    private static func nothingToTake(_ cause: String?) -> CommandError {
        guard let cause else {
            return CommandError(
                "--carry-issued takes records over from the store that was in use after the copy was made, and this restore "
                    + "replaces none. Name it with --carry-from STORE. Nothing was changed.")
        }
        return CommandError(
            "--carry-issued takes records over from the replaced store, but \(cause). Restore without --carry-issued, or "
                + "name another store that was in use after the copy was made with --carry-from STORE. Nothing was changed."
        )
    }

    /// The error for a copy that can't be opened.
    private static func unusable(_ copy: String, _ error: StoreError) -> any Error {
        switch error.code {
        case .corrupt:
            CommandError(
                "\(copy) can't be restored: \(error.causeOfDamage). Choose another backup. Nothing was changed.")
        case .missing:
            CommandError("There is no file \(copy). Choose a backup. Nothing was changed.")
        default: error
        }
    }
}

extension RestoredFile {
    /// The schema of the report that `tenure restore --json` prints.
    static let output = Schema.output([
        ("file", .text()), ("restoredInto", .text()),
        ("carriedOver", CarriedOver.withdrawnOutput),
        ("unread", .list(of: .output([("kind", .text()), ("cause", .text())]))), ("warnings", .texts),
        ("eventsFrom", .counts), ("given", CarriedOver.givenOutput),
    ])

    /// Prints which copy was restored and where, and the records that were carried over or lost.
    func report(_ copy: String, into place: String, asJSON: Bool, on console: Console) {
        if !asJSON { carried.show(on: console) }
        console.answer("restored \(copy) into \(place)\(carried.takenOver)", asJSON: asJSON) { body in
            body.member("file", copy)
            body.member("restoredInto", place)
            carried.writeWithdrawn(&body)
            body.array("warnings") { list in
                for warning in warnings { list.element(warning) }
            }
            body.object("eventsFrom") { object in
                for (tenant, number) in eventsFrom.sorted(by: { $0.key < $1.key }) {
                    object.member(tenant.text, number)
                }
            }
            carried.writeGiven(&body)
        }
        for warning in carried.warnings + lossWarnings(of: copy) + warnings { console.warn(warning) }
        if losesCatalog {
            console.warn(
                "the catalog was changed after the copy was made, and the restored store has the former one. Apply your catalog "
                    + "file again: `tenure apply FILE`".addingToCommands(installationOptions))
        }
        for sentence in returns { console.note(sentence) }
        let only = eventsFrom.count == 1 ? eventsFrom.first?.value : nil
        console.note("events continue with " + (only.map { "number \($0)" } ?? "the numbers \(eventsFrom.listed)"))
    }

    /// A warning about records that were issued or changed after the copy was made, if they aren't carried over.
    private func lossWarnings(of copy: String) -> [String] {
        let total = carried.numbersGiven.total
        guard !carried.given.isCarried, total > 0 else { return [] }
        return [
            "\(total.of("record")) that \(total == 1 ? "was" : "were") given after the copy was made "
                + "\(total == 1 ? "is" : "are") not in the restored store. Keys issued since are unknown to it. "
                + (aside.map { aside in
                    "To take them over, run `tenure restore \(copy) --replace --carry-from sqlite:\(aside) "
                        + "--carry-issued\(installationOptions)`"
                } ?? "To take them over, restore the copy again with --carry-issued")
        ]
    }
}
