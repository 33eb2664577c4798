import TenureCommandLine
import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

enum OrderCommands {
    private static let source: Argument<SourceID?> = .optional(
        "source", "SOURCE", "Only orders of this source.", as: .slug())
    private static let email: Argument<String?> = .optional(
        "holder-email", "EMAIL", "Only orders of the buyer with this address.", as: .text)
    private static let reference: Argument<ProviderID?> = .optional(
        "reference", "ID", "Only orders with this id at the provider.", as: .providerID)
    private static let after: Argument<OrderID?> = .optional(
        "after", "ORDER", "Start after this order, the last one on the previous page.",
        as: .numbered("an order's id such as ord_0123456789abc"))
    private static let order =
        Argument.positional(
            "ORDER", "The order's id: ord_...", as: .numbered("an order's id such as ord_0123456789abc"))
        as Argument<OrderID>

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "order", "Lists the orders that payments made, and joins licenses to them.",
            example: "tenure order list --tenant acme --holder-email ada@shop.example",
            commands: [list(installations), show(installations), JoinCommand.command(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists a tenant's orders, newest first.",
            example: "tenure order list --tenant acme --holder-email ada@shop.example",
            arguments: [
                IntakeCommands.tenant, source, email, reference, after, IntakeCommands.limit, SharedOptions.json,
                SharedOptions.wide,
            ] + SharedOptions.installation,
            output: Schema.page("orders", of: OrderRow.document.output())
        ) { arguments, console in
            guard arguments[email] == nil || arguments[reference] == nil else {
                throw UsageError("name either --holder-email or --reference")
            }
            let installation = try await installations.open(arguments, console: console)
            let (context, tenant) = (installation.context, arguments[IntakeCommands.tenant])
            _ = try await installation.catalog().current.catalog.named(tenant)
            var last: OrderRow?
            if let id = arguments[after] {
                last = try await context.order(id, of: tenant)?.row
                guard last != nil else { throw unknown(id) }
            }
            let filter: OrderFilter =
                arguments[reference].map { .reference($0) } ?? arguments[email].map { .holderEmail($0) } ?? .all
            let page = try await context.orders(
                of: tenant, filter, from: arguments[source], after: last, limit: arguments[IntakeCommands.limit])
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("orders") { list in
                        for row in page.rows { list.object { OrderRow.document.write(row, into: &$0) } }
                    }
                    body.next(page.next?.id.description)
                }
                return .done
            }
            var table = TextTable([
                .text("order"), .text("source"), .text("reference"), .text("kind"), .state("state"), .text("buyer"),
                .text("paid until"),
            ])
            for row in page.rows {
                table.add([
                    row.id.description, row.source.text, row.reference.text, row.kind.rawValue,
                    row.state.rawValue + (row.isTest ? " (test)" : ""), row.holderEmail ?? "-",
                    row.paidUntil?.local ?? "-",
                ])
            }
            console.answer(table)
            if let next = page.next { console.note("there may be more; continue with --after \(next.id)") }
            return .done
        }
    }

    private static func show(_ installations: Installations) -> Command {
        Command(
            "show", "Shows an order: its payments, what was bought, and the licenses.",
            example: "tenure order show ord_0123456789abc --tenant acme",
            arguments: [order, IntakeCommands.tenant, SharedOptions.json] + SharedOptions.installation,
            output: ShownOrder.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let id = arguments[order]
            let shown = try await installation.context.order(id, of: arguments[IntakeCommands.tenant])
            await installation.store.close()
            guard let shown else { throw unknown(id) }
            if arguments[SharedOptions.json] {
                console.answer { ShownOrder.document.write(shown, into: &$0) }
            } else {
                console.answer(lines: shown.lines)
            }
            return .done
        }
    }

    private static func unknown(_ id: OrderID) -> CommandError {
        CommandError("The tenant has no order \(id). Run `tenure order list` to see its orders.")
    }
}

extension ShownOrder {
    /// The order as lines for a person.
    fileprivate var lines: [String] {
        let head = [
            "order     \(row.id)", "source    \(row.source), \(row.reference)",
            "state     \(row.state.rawValue)" + (row.isTest ? ", paid with test money" : ""),
            "buyer     \(row.holderEmail ?? "-")" + (row.holderName.map { ", \($0)" } ?? ""),
        ]
        let until = row.paidUntil.map { ["paid to   \($0.local)"] } ?? []
        let renewed = row.renewedLicense.map { ["renewed   \($0)"] } ?? []
        let payments = order.payments.map { payment in
            let gross = payment.bill.gross
            let refunded = payment.refunded > 0 ? ", \(Money(payment.refunded, gross.currency).text) refunded" : ""
            return "payment   \(payment.bill.payment ?? payment.bill.reference): \(gross.text)\(refunded), "
                + payment.time.local
        }
        let lines = order.lines.enumerated().map { index, line in
            let licenses = licenses(ofLine: index).map(\.description).joined(separator: " ")
            return "line      \(line.quantity) x \(line.item): \(line.product)/\(line.policy)  \(licenses)"
        }
        return head + until + renewed + payments + lines
    }
}

extension ArgumentReading<ProviderID> {
    static var providerID: ArgumentReading<ProviderID> {
        ArgumentReading { text in
            guard let id = ProviderID(text) else { throw UsageError("enter a provider's id such as sub_1") }
            return id
        }
    }
}
