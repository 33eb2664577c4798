import TenureCommandLine
import TenureCore
import TenureFormats
import TenureSQLite
import TenureServer
import TenureServerKit
import TenureStore

/// A copy of a store that was made ready to be put in the store's place: checked, brought up to date, with what was taken
/// back since it was made.
struct RestoredFile {
    /// The store that went on after the copy was made.
    enum Later {
        /// What it took back is carried over; nil where there is none.
        case from(StoreAddress?)
        /// Nothing is; only its numbers of events count.
        case ignored(StoreAddress?)
    }

    /// Where it is; nobody uses it yet.
    let path: String
    private var carried: CarryOver.Outcome?
    private var eventsFrom: Int64 = 0
    private var notes: [String] = []

    /// Makes it; the copy itself is only read. Throws, and leaves nothing, when it is damaged or of another master key.
    static func make(
        from copy: String, at path: String, key: MasterKeyFile, later: Later, clock: any WallClock, console: Console
    ) async throws -> RestoredFile {
        let store = try await soundCopy(copy, at: path, key, console: console)
        do {
            var restored = RestoredFile(path: path)
            try await restored.finish(store, later, clock: clock, console: console)
            await store.close()
            return restored
        } catch {
            await store.close()
            SQLiteStore.removeFile(path)
            throw error
        }
    }

    /// Opens a copy of the copy, if it is whole and its master key is not known to be another.
    private static func soundCopy(
        _ copy: String, at path: String, _ key: MasterKeyFile, console: Console
    ) async throws -> SQLiteStore {
        let store: SQLiteStore
        let faults: [String]
        do throws(StoreError) {
            try SQLiteStore.copyFile(copy, to: path, under: .tenure)
            store = try SQLiteStore.open(.tenure, path: path, mode: .existing)
            faults = try await store.faults()
        } catch {
            SQLiteStore.removeFile(path)
            guard error.code == .corrupt else { throw error }
            throw CommandError("\(copy) is damaged, and nothing was changed: \(error.description)")
        }
        do {
            guard faults.isEmpty else {
                throw CommandError("\(copy) is damaged, and nothing was changed: \(faults.joined(separator: "; "))")
            }
            try await check(key, of: store, from: copy, console: console)
            return store
        } catch {
            await store.close()
            SQLiteStore.removeFile(path)
            throw error
        }
    }

    private static func check(
        _ key: MasterKeyFile, of store: any Store, from copy: String, console: Console
    ) async throws {
        guard let checkValue = try await store.setting(MasterKey.checkValueSetting) else { return }
        guard key.exists else {
            return console.warn(
                "the copy needs the master key it was made with: put it at \(key.path), or name it with --master-key-file"
            )
        }
        guard try key.read().matches(checkValue: checkValue) else {
            throw CommandError(
                "\(key.path) is not the master key of \(copy). Put the right one in its place; nothing was changed.")
        }
    }

    private mutating func finish(
        _ store: any Store, _ later: Later, clock: any WallClock, console: Console
    ) async throws {
        var last: Int64?
        switch later {
        case .from(nil), .ignored(nil):
            notes.append(Self.nothingToCompare)
        case .from(let address?):
            let source = try await LaterStore.open(address, beside: path)
            if let kin = source.store, try await CarryOver.areKin(kin, store) {
                let bar = console.progress("carrying over", total: Rooms.takenBack.count)
                let steps = Share()
                carried = try await CarryOver()(from: kin, to: store) { done, _ in
                    bar.advance(by: steps.advance(to: done))
                }
                bar.finish()
                last = try? await ContinueEvents.last(of: kin)
            } else {
                notes.append(
                    source.fault.map { "\(address) cannot be read: \($0)" } ?? "\(address) is another installation's")
                notes.append(Self.nothingToCompare)
            }
            await source.close()
        case .ignored(let address?):
            let source = try await LaterStore.open(address, beside: path)
            if let kin = source.store { last = try? await ContinueEvents.last(of: kin) }
            await source.close()
            notes.append("nothing was carried over: what was taken back after the copy was made is given again")
        }
        eventsFrom = try await ContinueEvents(in: store)(after: last, at: clock.now(), by: .commandLine)
        // The copy is of another time: what it had seen says nothing about the clock of now.
        try await ClockMark.forget(in: store)
    }

    private static let nothingToCompare =
        "what was taken back after the copy was made may be given again, for there is no store to carry it over from: "
        + "licenses that were revoked or suspended, devices that were released, keys, tokens, links and passwords that "
        + "were replaced or ended. Go through your own records of it"
}

extension RestoredFile {
    /// Says what was restored, and names each thing that was carried over.
    func report(_ copy: String, into place: String, asJSON: Bool, on console: Console) {
        let items = carried?.items ?? []
        let unread = carried?.unread ?? []
        if !asJSON, !items.isEmpty {
            var table = TextTable([.text("what"), .text("which"), .text("taken back since")])
            for item in items { table.add([item.kind, item.name, item.act]) }
            console.answer(table)
        }
        console.answer("restored \(copy) into \(place)", asJSON: asJSON) { body in
            body.member("file", copy)
            body.member("restoredInto", place)
            body.array("carriedOver") { list in
                for item in items {
                    list.object { object in
                        object.member("kind", item.kind)
                        object.member("name", item.name)
                        object.member("act", item.act)
                    }
                }
            }
            body.array("unread") { list in
                for part in unread {
                    list.object { object in
                        object.member("kind", part.kind)
                        object.member("cause", part.cause)
                    }
                }
            }
            body.member("eventsFrom", eventsFrom)
        }
        for part in unread {
            console.warn("not all of what was taken back is carried over (\(part.kind)): \(part.cause)")
        }
        for note in notes { console.warn(note) }
        console.note("events go on with number \(eventsFrom)")
    }
}

/// The store that went on after a copy of it was made, as far as it can be opened. It is left as it is: one of an older
/// schema is read from a copy.
private struct LaterStore {
    let store: (any Store)?
    let fault: String?
    private let scratch: String?

    static func open(_ address: StoreAddress, beside path: String) async throws -> LaterStore {
        let file: String
        switch address {
        case .postgres:
            return LaterStore(store: try await address.openSource(whileServing: true), fault: nil, scratch: nil)
        case .folder(let folder): file = try DataFolder.existing(folder).database
        case .file(let name): file = name
        }
        let scratch = "\(path).later"
        do throws(StoreError) {
            let isBehind = try SQLiteStore.isBehind(.tenure, path: file)
            if isBehind { try SQLiteStore.copyFile(file, to: scratch, under: .tenure) }
            let store = try SQLiteStore.open(.tenure, path: isBehind ? scratch : file, mode: .existing)
            return LaterStore(store: store, fault: nil, scratch: isBehind ? scratch : nil)
        } catch {
            SQLiteStore.removeFile(scratch)
            return LaterStore(store: nil, fault: error.description, scratch: nil)
        }
    }

    func close() async {
        await store?.close()
        if let scratch { SQLiteStore.removeFile(scratch) }
    }
}
