import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit

/// The command group `tenure catalog`.
enum CatalogCommands {
    private static let vendor = Argument.positional(
        "NAME", "The vendor's name.", as: Named<TenantID>.reading())
    private static let product: Argument<Named<ProductID>?> = .optional(
        "product", "NAME", "The name of the product; by default the vendor's.", as: Named<ProductID>.reading())
    private static let support: Argument<String?> = .optional(
        "support", "EMAIL", "The address that customers' pages name for help.", as: .text)
    private static let trial = Argument.option(
        "trial", "DAYS", "The length of a trial; 0 for no trials.", as: .int(in: 0...3650), default: 14)
    private static let policies: Argument<[PolicyDraft]> = .repeated(
        "policy", "ID:LENGTH:DEVICES",
        "A policy: its id, perpetual or a length such as P1Y, P6M or P14D, and how many devices (default: pro:perpetual:3).",
        as: PolicyDraft.reading)
    private static let out: Argument<String?> = .optional(
        "out", "FILE", "The new file; by default the vendor's id with .json.", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "catalog", "Starts a catalog file.",
            discussion: "A catalog file describes vendors, products and policies; `tenure apply` applies it.",
            example: "tenure catalog new acme --product notes", commands: [new(installations.features)])
    }

    private static func new(_ features: FeatureSet) -> Command {
        Command(
            "new", "Writes the catalog file of a first product.",
            discussion: """
                Writes a short file to edit, and prints the commands that apply it, issue a license and start the \
                server. It never overwrites a file. Customers read the names in the file on their pages, for example \
                "Yearly" for the policy yearly. Documentation/catalog.md describes everything that the file may contain.
                """,
            example: """
                tenure catalog new acme --product notes
                tenure catalog new acme --product notes --support help@acme.example --trial 14 --policy pro:perpetual:3 --policy yearly:P1Y:2
                """,
            arguments: [vendor, product, support, trial, policies, out, SharedOptions.json],
            output: OutputType.object([("file", .text), ("next", .texts)]), isAlone: true
        ) { arguments, console in
            let vendor = arguments[vendor]
            var policies = arguments[policies]
            if policies.isEmpty { policies = [PolicyDraft.standard].compactMap(\.self) }
            guard let named = arguments[product] ?? ProductID(vendor.id.text).map({ .init(id: $0, name: vendor.name) })
            else { throw UsageError("give --product NAME") }
            let draft = CatalogDraft(
                vendor: vendor, product: named, supportEmail: arguments[support], trialDays: arguments[trial],
                policies: policies)
            let path = arguments[out] ?? "\(vendor.id).json"
            do throws(CatalogFileError) {
                _ = try features.catalogFile(parsing: Array(draft.text.utf8), files: FilesOnDisk(besideCatalog: path))
            } catch {
                throw CommandError(error.problems.map { "\($0.pointer): \($0.message)" }.joined(separator: "\n"))
            }
            let file = try NewFile(creating: path)
            try file.write(draft.text, loss: "Delete it and try again.")
            let next = [
                "tenure apply \(path.shellWord)",
                "tenure license issue --tenant \(vendor.id) --product \(named.id) --policy \(policies[0].id)",
                "tenure serve",
            ]
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("file", path)
                    body.member("next", next)
                }
            } else {
                console.answer("wrote \(path)\n\nNext:\n" + next.map { "  " + $0 }.joined(separator: "\n"))
                if draft.supportEmail == nil {
                    console.answer(
                        "\nCustomers' pages name no address for help yet: add \"supportEmail\" after the vendor's \"name\"."
                    )
                }
            }
            return .done
        }
    }
}

extension String {
    /// The text, quoted as one word for a shell.
    fileprivate var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
        return isPlain && first != "-"
            ? self : "'" + split(atByte: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
