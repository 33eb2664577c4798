import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license change`.
enum LicenseChangeCommand {
    private static let options = LicenseField.all.map(\.change.option)
    private static let keepEnd = Argument.flag(
        "keep-end", "Keep the license's end although the new policy's terms differ in kind.")
    private static let dryRun = Argument.flag("dry-run", "Show what would result, without changing anything.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "change", "Changes a license's policy, holder, order or end.",
            discussion: """
                Devices learn of it at their next refresh. A new policy leaves the license's end as it is. If only one \
                of both policies has a duration, or if their terms start at different times, the command asks what \
                happens to the end; without a terminal, give --keep-end or --expires-at. With --already-ended, an end \
                in the past expires the license at once.
                """,
            example: "tenure license change NOTE-PRO0-0000-0001 --policy team --expires-at never",
            arguments: LicenseReference.certainArguments + options
                + [keepEnd, SharedOptions.alreadyEnded, dryRun, SharedOptions.json],
            output: ChangedLicense.document.output()
        ) { arguments, console in
            var changes = options.compactMap { arguments[$0] }
            guard !changes.isEmpty else {
                throw UsageError("give at least one of \(options.map(\.declaration.label).andList)")
            }
            if arguments[keepEnd] {
                guard !changes.contains(where: { if case .end = $0 { true } else { false } }) else {
                    throw UsageError("give --keep-end or --expires-at, not both")
                }
                changes.append(.keepEnd)
            }
            let isMeant = arguments[SharedOptions.alreadyEnded]
            let (isDry, requested) = (arguments[dryRun], changes)
            return try await LicenseAct.perform(installations, arguments, console: console) { license, catalog, now in
                var changes = requested
                if let open = try open(changes, on: AsOf(license, at: now), under: catalog.current) {
                    changes.append(try end(open, on: console))
                }
                try changes.checkEnd(isMeant: isMeant, at: now)
                let notes = [
                    try await formerHolder(of: license, after: changes, in: catalog.store),
                    try await devices(over: changes, of: AsOf(license, at: now), in: catalog),
                ].compactMap(\.self)
                return .init(
                    act: .change(changes), note: notes.isEmpty ? nil : notes.joined(separator: "\n"), isDry: isDry,
                    showsEnds: true)
            }
        }
    }

    /// A note about the former holder's key and devices after these changes; `nil` if the holder doesn't change.
    private static func formerHolder(
        of license: License, after changes: [LicenseTerms.FieldChange], in store: ServerStore
    ) async throws -> String? {
        guard let former = license.holder, changes.contains(where: { $0.isHolder(otherThan: former) }) else {
            return nil
        }
        let devices = try await store.activations(of: license.id, includingReleased: false).count
        return """
            \(former) still has the key \(license.key.masked), which works, and \(devices.of("active device")). To give \
            the license a new key and to release its devices, use `tenure license transfer \(license.id) --to HOLDER`
            """
    }

    /// A note about active devices beyond the limit after these changes; `nil` without such devices.
    private static func devices(
        over changes: [LicenseTerms.FieldChange], of license: AsOf<License>, in catalog: CatalogCache
    ) async throws -> String? {
        let snapshot = catalog.current
        let decision = try OperatorAct.change(changes).outcome(
            on: license.value, under: snapshot, by: .commandLine, at: license.now)
        guard case .done(let after, _, _) = decision.answer,
            let limit = try snapshot.policy(of: after).allowance(of: after).limit
        else { return nil }
        let active = try await catalog.store.devices(of: after.id, includingReleased: false).activeCount
        guard active > limit else { return nil }
        return
            "\(active.of("device")) are active, and the limit is \(limit) now: they stay active, and another one can "
            + "be activated once \((active - limit + 1).of("device")) are released"
    }

    /// Returns what to ask the person if the changes leave the license's end open; otherwise `nil`.
    private static func open(
        _ changes: [LicenseTerms.FieldChange], on license: AsOf<License>, under catalog: CatalogSnapshot
    ) throws(ServerError) -> EndLeftOpen? {
        let decision = try OperatorAct.change(changes).outcome(
            on: license.value, under: catalog, by: .commandLine, at: license.now)
        if case .endLeftOpen(let open) = decision.answer { return open }
        return nil
    }

    /// Asks whether the license keeps its end or gets another one; throws without a terminal or without a valid answer.
    private static func end(_ open: EndLeftOpen, on console: Console) throws -> LicenseTerms.FieldChange {
        guard console.canAsk else { throw open.error }
        let answer = console.prompt("\(open.words) Type keep to keep the end, or a new end (a date or never): ")
        guard let answer = answer?.trimmed, !answer.isEmpty else { throw open.error }
        if answer.lowercased() == "keep" { return .keepEnd }
        return .end(try ArgumentReading<TermEnd>.end.value(of: answer, for: "the end"))
    }
}

extension LicenseTerms.FieldChange {
    fileprivate func isHolder(otherThan holder: String) -> Bool {
        if case .holder(let new) = self { new != holder } else { false }
    }
}
