import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license issue`.
enum LicenseIssueCommand {
    private static let tenant: Argument<TenantID?> = .optional(
        "tenant", "TENANT", "The tenant of the product.", as: ArgumentReading<TenantID>.slug())
    private static let product: Argument<ProductID?> = .optional(
        "product", "PRODUCT", "The licensed product.", as: ArgumentReading<ProductID>.slug())
    private static let policy: Argument<PolicyID?> = .optional(
        "policy", "POLICY", "The policy of the licenses.", as: ArgumentReading<PolicyID>.slug())
    private static let inputs = LicenseField.all.compactMap(\.issue)
    /// The arguments that decide which licenses a command without a file issues.
    static let deciding: [any DeclaredArgument] = [tenant, product, policy] + inputs.map(\.option) + [mail]
    static let count = Argument.option(
        "count", "N", "The number of licenses.", as: .int(in: 1...1_000_000), default: 1)
    private static let out: Argument<String?> = .optional(
        "out", "FILE", "Write \(columns.joined(separator: ",")) as CSV to a new file.", as: .text)
    private static let mail = Argument.flag(
        "mail", "Send the keys by e-mail: to the address of --holder-email, or to a holder that is an address.")
    private static let mark = Argument.flag(
        "bom", "Begin the file of --out with a byte order mark, so that Excel reads it as UTF-8.")
    private static let from: Argument<String?> = .optional(
        "from", "FILE",
        "Issue a license for each row of a CSV file, whose first line names the columns: "
            + "\(IssueFile.columns.joined(separator: ", ")).", as: .text)
    private static let check: Argument<String?> = .optional(
        "check", "FILE", "Issue nothing; instead list the rows of such a file that were not issued.", as: .text)

    static func command(_ installations: Installations) -> Command {
        Command(
            "issue", "Issues licenses with new keys.",
            discussion: """
                Each key is shown only once; the store keeps its hash. With --out, each key is written to the file and \
                saved to disk before its license is issued. Ctrl-C stops after the licenses currently being issued and \
                exits with 130. After any interruption, --check lists the rows of the file that were not issued, and \
                exits with 1 if there are any.

                With --from, each row of the file becomes a license, and --out gets the results in the same order. What \
                a row leaves empty follows from the options, then from the policy. If a row is wrong, nothing is \
                issued. After an interruption, repeat the command: it continues with the same --out, and issues each row \
                once.
                """,
            example: """
                tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com
                tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com --mail
                tenure license issue --tenant acme --product notes --policy pro --idempotency-key invoice-1001
                tenure license issue --tenant acme --product notes --policy pro --count 1000 --out keys.csv
                tenure license issue --tenant acme --product notes --policy pro --from holders.csv --out keys.csv
                tenure license issue --check keys.csv
                """,
            arguments: [tenant, product, policy] + inputs.map(\.option)
                + [
                    SharedOptions.alreadyEnded, mail, count, from, out, mark, check, RepeatableRequest.option,
                    SharedOptions.json,
                ]
                + SharedOptions.installation,
            output: License.document.output(
                adding: [("licenseKey", .text())], optional: [("repeated", .boolean)]
            ).or(
                .output([
                    ("rows", .integer()),
                    ("notIssued", .list(of: .output([("line", .integer()), ("license", .text())]))),
                ])
            ).or(.output([("rows", .integer()), ("issued", .integer())]))
        ) { arguments, console in
            if arguments[RepeatableRequest.option] != nil, arguments[out] ?? arguments[from] ?? arguments[check] != nil
            {
                throw UsageError("give --idempotency-key without --out, --from and --check, which need no key")
            }
            if let path = arguments[check] { return try await checkRows(installations, of: path, arguments, console) }
            if let path = arguments[from] { return try await issue(installations, from: path, arguments, console) }
            guard let tenant = arguments[tenant], let product = arguments[product], let policy = arguments[policy]
            else {
                throw UsageError("to issue licenses, give --tenant TENANT, --product PRODUCT and --policy POLICY")
            }
            let installation = try await installations.open(arguments, console: console)
            var order = LicenseOrder(
                product: ProductRef(tenant: tenant, product: product), policy: policy,
                terms: inputs.compactMap { arguments[$0.option] }, isMailed: arguments[mail])
            let catalog = try await installation.catalog()
            let request = RepeatableRequest.command(
                arguments, "license issue \(arguments[count])", deciding: deciding, of: tenant)
            let licensing = LicensingContext(catalog: catalog, clock: installation.clock)
            if let request, let code = try await printEarlier(request, licensing, arguments, in: installation, console)
            {
                return code
            }
            _ = try catalog.current.catalog.named(policy, of: order.product)
            try order.terms.checkEnd(isMeant: arguments[SharedOptions.alreadyEnded], at: installation.clock.now())
            try checkLetters(for: [order.terms], arguments, of: tenant, in: catalog.current.catalog)
            if let request {
                return try await issueOnce(request, order, licensing, arguments, in: installation, console)
            }
            let file = try arguments[out].map { path throws(CommandError) in
                try CSVFile(creating: path, columns: columns, isMarked: arguments[mark])
            }
            let start = file?.size
            let interruption = Interruption()
            let total = arguments[count]
            let progress = console.progress("issuing", total: total)
            var done = 0
            while done < total, !interruption.isAsked {
                order.count = min(order.isMailed ? mostMailed : batch, total - done)
                guard let draft = try await licensing.draftLicenses(order, by: .commandLine) else {
                    if done == 0 { file?.remove() }
                    throw CommandError(
                        "The policy \(policy) of \(order.product) no longer exists; "
                            + (done == 0 ? "nothing was issued." : "the command had issued \(done.of("license")).")
                            + " Run `tenure apply FILE` to add it again.")
                }
                let isGranted: Bool
                do {
                    isGranted = try await grant(draft, with: licensing, writing: file)
                } catch {
                    if file?.size == start { file?.remove() }
                    throw error
                }
                // The policy has changed in the meantime, so the batch is drafted again.
                guard isGranted else { continue }
                if file == nil {
                    for license in draft.issued { show(license, at: installation.clock.now(), arguments, console) }
                }
                done += order.count
                progress.advance(by: order.count)
            }
            progress.finish()
            await installation.store.close()
            if let file { console.note("wrote \(done.of("key")) to \(file.path)") }
            if done == total { return .done }
            console.warn("stopped: \(done) of \(total) licenses were issued")
            return .interrupted
        }
    }

    /// Issues a license for each row of a file.
    private static func issue(
        _ installations: Installations, from path: String, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        guard let tenant = arguments[tenant], let product = arguments[product], let out = arguments[out] else {
            throw UsageError("to issue a license for each row, give --tenant TENANT, --product PRODUCT and --out FILE")
        }
        if arguments.isTyped(count) { throw UsageError("give --from or --count, not both") }
        let isMailed = arguments[mail]
        let installation = try await installations.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let ref = ProductRef(tenant: tenant, product: product)
        let reading = IssueFile.Reading(
            product: try catalog.current.catalog.named(ref), policy: arguments[policy],
            terms: inputs.compactMap { arguments[$0.option] }, acceptsPast: arguments[SharedOptions.alreadyEnded],
            now: installation.clock.now())
        let rows = try reading.rows(of: path)
        try checkLetters(for: rows.map(\.terms), arguments, of: tenant, in: catalog.current.catalog)
        let licensing = LicensingContext(catalog: catalog, clock: installation.clock)
        let code = try await IssuedFile(
            path: out, isMarked: arguments[mark], rows: rows, product: ref, isMailed: isMailed, licensing: licensing
        )
        .complete(arguments, console)
        await installation.store.close()
        return code
    }

    /// Issues a draft, after its keys have been written to disk so that none of them is lost. Returns `false` if the
    /// policy no longer exists or would now issue something else; then nothing is issued or written.
    ///
    /// - Parameter remedy: What to do if the licenses may not have been issued, as a sentence.
    static func grant(
        _ draft: LicenseDraft, with licensing: LicensingContext, writing file: CSVFile?, orElse remedy: String? = nil
    ) async throws -> Bool {
        let start = file?.size
        do {
            for issued in file == nil ? [] : draft.issued { try file?.write(row: cells(of: issued)) }
            try file?.sync()
        } catch {
            if let start { file?.cut(to: start) }
            throw error
        }
        let isGranted: Bool
        do {
            isGranted = try await licensing.issue(draft, by: .commandLine)
        } catch {
            guard let file else { throw error }
            if let remedy { throw CommandError("\(error.description) \(remedy)") }
            throw CommandError(
                "\(error.description) Run `tenure license issue --check \(file.path)` to check its last "
                    + "\(draft.issued.count.of("row")), which may not have been issued.")
        }
        if !isGranted, let start { file?.cut(to: start) }
        return isGranted
    }

    /// Checks that letters can be sent if `--mail` is given, before anything is issued.
    private static func checkLetters(
        for rows: [[LicenseTerms.FieldChange]], _ arguments: Parsed, of tenant: TenantID, in catalog: Catalog
    ) throws {
        guard arguments[mail] else { return }
        if catalog.tenants[tenant]?.mail == nil { throw CommandError(Catalog.mailNotSetUp(for: tenant)) }
        if arguments[count] > mostMailed {
            throw UsageError("with --mail, --count is at most \(mostMailed)")
        }
        guard let position = rows.firstIndex(where: { $0.letterAddress == nil }) else { return }
        throw arguments[from] == nil
            ? UsageError("--mail needs an address: give --holder-email EMAIL, or a --holder that is an address")
            : CommandError("Nothing was issued: row \(position + 1) has no e-mail address for --mail.")
    }

    /// How many licenses of one order a letter can send.
    private static let mostMailed = 1_000
    /// How many rows of a file are issued at once, each perhaps with a letter of its own.
    static let batchOfLetters = 100
    static let batch = 250
    static let columns = ["key", "license"] + LicenseField.all.map(\.member.name)

    private static func cells(of issued: IssuedLicense) -> [String] {
        [issued.keyText, issued.license.id.description]
            + LicenseField.all.map { $0.cell(AsOf(issued.license, at: issued.license.issuedAt)) }
    }

    private static func show(
        _ issued: IssuedLicense, at now: Timestamp, _ arguments: Parsed, _ console: Console
    ) {
        if arguments[SharedOptions.json] || arguments[count] == 1 {
            LicensePage(license: issued.license, newKey: issued.keyText, now: now)
                .answer(asJSON: arguments[SharedOptions.json], on: console)
        } else {
            console.answer(issued.keyText)
        }
    }
}

extension LicenseIssueCommand {
    /// Reports which rows of a file have no license, by line and id; keys aren't printed.
    private static func checkRows(
        _ installations: Installations, of path: String, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        guard let text = try? CallersFile.text(of: path) else {
            throw CommandError("The file \(path) cannot be read or is not UTF-8.")
        }
        var records = CSVRecords(text)
        guard records.next()?.cells == columns else {
            throw CommandError(
                "\(path) was not written by `tenure license issue --out`: its first line differs. Choose another file.")
        }
        let installation = try await installations.open(arguments, console: console)
        var (rows, notIssued): ([(line: Int, id: LicenseID)], [(line: Int, name: String)]) = ([], [])
        var count = 0
        func fetch() async throws {
            let missing = try await ServerStore(installation.store).missingLicenses(among: rows.map(\.id))
            for row in rows where missing.contains(row.id) { notIssued.append((row.line, row.id.description)) }
            rows = []
        }
        while let (line, cells) = records.next() {
            count += 1
            // Skip a truncated row, which was being written when the command ended.
            if cells.count == columns.count, let id = LicenseID(text: cells[1]) {
                rows.append((line, id))
            } else {
                notIssued.append((line, "is incomplete"))
            }
            if rows.count == batch { try await fetch() }
        }
        try await fetch()
        notIssued.sort { $0.line < $1.line }
        await installation.store.close()
        if !arguments[SharedOptions.json] {
            for row in notIssued { console.answer("line \(row.line): \(row.name)") }
        }
        console.answer(
            notIssued.isEmpty
                ? "all \(count) rows were issued"
                : "\(notIssued.count) of \(count) rows were not issued; don't use their keys, or issue them by repeating the "
                    + "command that wrote the file if it had --from",
            asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("rows", count)
            body.array("notIssued") { list in
                for row in notIssued {
                    list.object { item in
                        item.member("line", row.line)
                        item.member("license", row.name)
                    }
                }
            }
        }
        return notIssued.isEmpty ? .done : .failed
    }
}
