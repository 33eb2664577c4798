import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The endpoints under `/v1/{tenant}/trials`, by which a vendor's support lists and changes the trials of devices.
struct TrialEndpoints: Sendable {
    let licensing: LicensingContext

    var endpoints: [Endpoint] { [list, extend, reset] }

    private func with(_ scope: String) -> Authentication<OperatorCaller> {
        .operator(scope, by: licensing.shared)
    }

    private var list: Endpoint {
        let fields = Fields { fields in
            (
                product: try fields.optional(
                    "product", .slug(), in: .query, "Only trials of this product.") as ProductID?,
                after: try fields.optional(
                    "after", .trialCursor, in: .query, "The value of `next` from the previous page."),
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", "/v1/{tenant}/trials", format: .problem, catalog: .cached, authentication: with("licenses:read"),
            reads: fields,
            answers: ListPage.document("trials", of: ShownTrial.document),
            operation: Operation(
                "listTrials", "trials", "List trials",
                "Those that began last first. The server records trials of apps that use the Tenure dialect.")
        ) { call in
            let products = try products(call.input.product, of: call.caller.tenant)
            let (now, input) = (licensing.clock.now(), call.input)
            let (shown, next) = try await licensing.store.latestTrials(
                of: products, nil, after: input.after, at: now, limit: input.limit)
            return .done(ListPage(shown, next: next?.text))
        }
    }

    /// An action on the trial of one device, as read from a request.
    private struct RequestedAct: Sendable {
        let device: DevicePrefix
        let product: ProductID?
        let act: TrialAct
    }

    private var extend: Endpoint {
        act(
            "extend",
            Operation(
                "extendTrial", "trials", "Give a device's trial more days",
                "The days count from now if the trial has ended. The app learns of them at its next check. Repeating "
                    + "the request without an `Idempotency-Key` adds the days again.")
        ) { fields in
            .extend(
                days: try fields.required("days", .integer(1...3650), "How many days to add."))
        }
    }

    private var reset: Endpoint {
        act(
            "reset",
            Operation(
                "resetTrial", "trials", "Start a device's trial again",
                "It starts now, for its whole length. Days that were added don't count any more. The app learns of it "
                    + "at its next check.")
        ) { fields in
            let reason = try fields.optional("reason", .line(1...256), "Why; kept with the event.")
            return .reset(because: reason.map { StatedReason($0) })
        }
    }

    private func act(
        _ verb: String, _ operation: Operation, _ read: @escaping @Sendable (inout FieldReader) throws -> TrialAct
    ) -> Endpoint {
        let fields = Fields { fields in
            RequestedAct(
                device: try fields.required(
                    "device", .devicePrefix, in: .path,
                    "The device's code, as its app shows it, or at least eight digits of its hash."),
                product: try fields.optional("product", .slug(), "The product; needed if several trials match."),
                act: try read(&fields))
        }
        return Endpoint(
            "POST", "/v1/{tenant}/trials/{device}/\(verb)", format: .problem, catalog: .cached,
            authentication: with("licenses:write"),
            reads: fields, repeats: .once(repeated), answers: ShownTrial.document, operation: operation
        ) { call in
            let found = try await trial(call.input, of: call.caller.tenant)
            let now = licensing.clock.now()
            let once = try await licensing.changeTrialOnce(
                call.repeatable, found.trial.name, call.input.act, by: call.caller.actor
            ) { decision in
                guard case .granted(let trial) = decision else { return nil }
                return RepeatableAnswer(
                    ShownTrial.document.json(found.changed(to: trial, at: now)),
                    records: [found.number])
            }
            return try once.documented { decision in
                switch decision {
                case nil: throw Failure.notFound
                case .refused(let refusal): return .refused(Failure(refusal))
                case .granted(let trial): return .done(found.changed(to: trial, at: now))
                }
            }
        }
    }

    /// Responds to a late repetition with the trial in its current state. A trial has no id, so it's found by its
    /// number.
    private var repeated: RepeatedRecords {
        RepeatedRecords(
            .alone, of: ShownTrial.document, in: licensing.catalog, at: licensing.clock, shownBy: "licenses:read",
            id: { _ in "" }, number: \.number
        ) { numbers, tenant in
            let now = licensing.clock.now()
            var found: [ShownTrial] = []
            for product in try products(nil, of: tenant) {
                for number in numbers {
                    let device = DevicePrefix(number: number, at: product.ref)
                    found += try await licensing.store.trials(of: product, device, at: now)
                }
            }
            return found
        }
    }

    /// The tenant's products, or only the named one.
    private func products(_ product: ProductID?, of tenant: TenantID) throws -> [Product] {
        let products = licensing.catalog.current.catalog.tenants[tenant]?.products ?? [:]
        guard let product else { return products.values.sorted { $0.ref.description < $1.ref.description } }
        guard let named = products[product] else { throw Failure.unknownProduct(product) }
        return [named]
    }

    /// Finds the trial that a request names; throws if none matches, or several do.
    private func trial(_ request: RequestedAct, of tenant: TenantID) async throws -> ShownTrial {
        let now = licensing.clock.now()
        var found: [ShownTrial] = []
        for product in try products(request.product, of: tenant) {
            found += try await licensing.store.trials(of: product, request.device, at: now)
        }
        guard let trial = found.first else { throw Failure.notFound }
        guard found.count == 1 else {
            throw Failure(
                FieldFault("product", .other("several trials match; name the product, or send more of the code")))
        }
        return trial
    }
}

extension FieldType where Value == TrialCursor {
    /// The cursor `next` of a page of trials.
    fileprivate static var trialCursor: FieldType {
        .text(
            "the `next` of a previous page", like: "0:acme/notes:" + String(repeating: "0", count: 64), longest: 512,
            schema: .text()
        ) { TrialCursor(text: $0) }
    }
}
