import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicenseEndpoints {
    /// Issues licenses.
    var create: Endpoint {
        let fields = Fields { fields in
            (
                product: try fields.required("product", .slug(), "The product.") as ProductID,
                policy: try fields.required("policy", .slug(), "The policy to use.") as PolicyID,
                terms: try LicenseField.all.compactMap { try $0.issue?.read(&fields) },
                count: try fields.optional("count", .integer(1...1000), else: 1),
                isMailed: try fields.optional(
                    "mail", .boolean,
                    "Whether a letter sends the keys to `holderEmail`, or to a `holder` that is an address."
                ) ?? false
            )
        }
        let document = Document<[KeyedLicense]>(nil, [.list("licenses", of: KeyedLicense.document) { $0 }])
        return Endpoint(
            "POST", "/v1/{tenant}/licenses", format: .problem, catalog: .cached, authentication: with("licenses:write"),
            reads: fields,
            repeats: .once(repeated(.list("licenses"))), answers: document, status: 201,
            operation: Operation(
                "issueLicenses", "licenses", "Issue licenses", "All licenses are issued in one transaction.",
                success: "Issued. The keys are shown only this once.")
        ) { call in
            let input = call.input
            let order = LicenseOrder(
                product: ProductRef(tenant: call.caller.tenant, product: input.product), policy: input.policy,
                terms: input.terms, count: input.count, isMailed: input.isMailed)
            let now = licensing.clock.now()
            let write: @Sendable ([IssuedLicense]) -> [KeyedLicense] = { issued in
                issued.map { KeyedLicense(keyText: $0.keyText, license: AsOf($0.license, at: now)) }
            }
            let once = try await licensing.issueLicensesOnce(
                call.repeatable, order, by: call.caller.actor
            ) { issued in
                issued.map {
                    RepeatableAnswer(document.json(write($0)), records: $0.map(\.license.id.number))
                }
            }
            return try once.documented { issued in
                if let issued { return .done(write(issued)) }
                return .refused(refusal(of: order))
            }
        }
    }

    /// The refusal of an order whose product or policy the tenant doesn't have, or whose letter can't be sent.
    @inline(never) private func refusal(of order: LicenseOrder) -> Failure {
        let tenant = licensing.catalog.current.catalog.tenants[order.product.tenant]
        let policies = tenant?.products[order.product.product]?.policies
        guard policies?[order.policy] == nil else {
            return notMailable(order.product.tenant)
        }
        return unknownName(in: order).aboutMissingRecord()
    }

    /// Why a letter about a license of the tenant can't be sent.
    @inline(never) func notMailable(_ tenant: TenantID) -> Failure {
        licensing.catalog.current.catalog.tenants[tenant]?.mail == nil
            ? .mailNotSetUp(for: tenant) : .holderEmailMissing
    }

    /// The refusal of an order whose product or policy the tenant doesn't have.
    private func unknownName(in order: LicenseOrder) -> Failure {
        let products = licensing.catalog.current.catalog.tenants[order.product.tenant]?.products ?? [:]
        let (product, title) = (order.product.product, "Request refused")
        guard products[product] != nil else { return .unknownProduct(product, title: title) }
        return .unknownPolicy(
            "\(order.product) has no policy \(order.policy). Name one of the product's policies.", title: title)
    }

    /// An action on one license, as read from a request.
    private struct AskedAct: Sendable {
        let license: LicenseID
        let act: OperatorAct
        let reason: StatedReason?
    }

    /// The actions that have a path of their own and don't return a key.
    var acts: [Endpoint] {
        [
            act(
                "renew",
                Operation(
                    "renewLicense", "licenses", "Renew a license",
                    "Without a body, adds the policy's duration. A running term is extended; an expired license "
                        + "starts a new term now. If the policy has no duration, the license never expires any more.")
            ) { fields in
                let days = try fields.optional("days", .integer(1...36_500), "The number of days to add.")
                let until = try fields.optional(
                    "until", .end, "The new end of the term; a date alone means 24:00 UTC of that day.")
                try fields.refuseBoth("days", "until", days != nil && until != nil)
                return .renew(days.map { .days($0) } ?? until.map { .until($0) } ?? .policy)
            },
            act(
                "suspend", Operation("suspendLicense", "licenses", "Suspend a license", Self.restating), .suspend,
                isStated: true),
            act(
                "reinstate", Operation("reinstateLicense", "licenses", "Reinstate a license", Self.repeating),
                .reinstate),
            act(
                "revoke", Operation("revokeLicense", "licenses", "Revoke a license", "Final. " + Self.restating),
                .revoke, isStated: true),
            act(
                "return",
                Operation(
                    "returnLicense", "licenses", "Return a license",
                    "Final. For a license that its holder gave back. " + Self.repeating), .giveBack),
        ]
    }

    /// Edits a license and returns its end before and after.
    var change: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            let changes = try LicenseField.all.compactMap { try $0.change.read(&fields) }
            let isKept = try fields.optional(
                "keepEnd", .boolean,
                "Whether the end stays. A change to a policy whose terms differ in kind needs this or `expiresAt`.")
            let setsEnd = changes.contains { if case .end = $0 { true } else { false } }
            if isKept == true, setsEnd {
                throw Failure(FieldFault("keepEnd", .other("send keepEnd or expiresAt, not both")))
            }
            return (license: license, act: OperatorAct.change(changes + (isKept == true ? [.keepEnd] : [])))
        }
        return Endpoint(
            "POST", Self.license + "/change", format: .problem, catalog: .cached,
            authentication: with("licenses:write"), reads: fields,
            repeats: .once(repeated(.alone)), answers: ChangedLicense.document,
            operation: Operation(
                "changeLicense", "licenses", "Edit a license",
                "Absent fields stay unchanged. The response has the end before the change too. If only one of the old "
                    + "and the new policy has a duration, or if their terms start at different times, `keepEnd` or "
                    + "`expiresAt` is required.")
        ) { call in
            try await perform(call.input.act, on: call.input.license, call, as: ChangedLicense.document) {
                ChangedLicense($0, before: $1)
            }
        }
    }

    private static let repeating = "Repeating it changes nothing."
    private static let restating = "Repeating it changes nothing, except that a new reason replaces the earlier one."

    private func act(
        _ verb: String, _ operation: Operation, _ act: OperatorAct, isStated: Bool = false
    ) -> Endpoint {
        self.act(verb, operation, isStated: isStated) { fields in
            if !isStated { try fields.nothing() }
            return act
        }
    }

    /// Declares an action on one license; with `isStated`, a request may give a reason.
    private func act(
        _ verb: String, _ operation: Operation, isStated: Bool = false,
        _ read: @escaping @Sendable (inout FieldReader) throws -> OperatorAct
    ) -> Endpoint {
        let fields = Fields { fields in
            AskedAct(
                license: try fields.licenseInPath(), act: try read(&fields),
                reason: isStated ? try fields.statedReason() : nil)
        }
        return Endpoint(
            "POST", "\(Self.license)/\(verb)", format: .problem, catalog: .cached,
            authentication: with("licenses:write"), reads: fields,
            repeats: .once(repeated(.alone)), answers: License.document, operation: operation
        ) { call in
            let input = call.input
            return try await perform(
                input.act, because: input.reason, on: input.license, call, as: License.document
            ) { license, _ in license }
        }
    }

    func perform<Input, Output>(
        _ act: OperatorAct, because reason: StatedReason? = nil, on id: LicenseID,
        mailing letter: MailID? = nil, _ call: Call<OperatorCaller, Input>,
        as document: Document<Output>, _ write: @escaping @Sendable (AsOf<License>, _ before: License) -> Output
    ) async throws -> Documented<Output> {
        let now = licensing.clock.now()
        let once = try await licensing.performOnce(
            call.repeatable, act, because: reason, on: id, of: call.caller.tenant, by: call.caller.actor,
            mailing: letter
        ) { outcome in
            guard case .done(let license, let before, _) = outcome else { return nil }
            return RepeatableAnswer(
                document.json(write(AsOf(license, at: now), before)), records: [license.id.number])
        }
        return try once.documented { outcome in
            switch outcome {
            case .done(let license, let before, _): return .done(write(AsOf(license, at: now), before))
            case .refused(let refusal): return .refused(Failure(refusal))
            case .unknownPolicy(let policy):
                return .refused(
                    .unknownPolicy("The product has no policy \(policy). Name one of the product's policies."))
            case .endLeftOpen(let open): return .refused(Failure(open.fault))
            case .notMailable: return .refused(notMailable(call.caller.tenant))
            }
        }
    }

    /// Stops counting a license's released devices against its limit for different devices.
    var forgive: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            try fields.nothing()
            return license
        }
        return Endpoint(
            "POST", Self.license + "/forgive-devices", format: .problem, catalog: .cached,
            authentication: with("activations:write"),
            reads: fields, answers: ForgivenDevices.document,
            operation: Operation(
                "forgiveDevices", "activations", "End the count of released devices",
                "Devices that were released count against `deviceChanges` for a while; afterwards, only active devices "
                    + "count. " + Self.repeating)
        ) { call in
            let decision = try await licensing.forgiveDevices(
                of: call.input, ofTenant: call.caller.tenant, by: call.caller.actor)
            switch decision {
            case nil: throw Failure.notFound
            case .refused(let refusal): return .refused(Failure(refusal))
            case .granted(let devices): return .done((call.input, devices))
            }
        }
    }

    /// Releases a device.
    var release: Endpoint {
        let fields = Fields { fields in
            (
                activation: try fields.required(
                    "activation", .activationID, in: .path, "The activation's public id, or the device's own id."),
                reason: try fields.statedReason()
            )
        }
        let document = Document<(ActivationID, Bool)>(
            nil,
            [
                .text("activation", "Its id, as given in the request.") { $0.0.description },
                .boolean("released") { _ in true },
                .boolean("changed", "Whether this request released it.") { $0.1 },
            ])
        return Endpoint(
            "POST", "/v1/{tenant}/activations/{activation}/release", format: .problem, catalog: .cached,
            authentication: with("activations:write"), reads: fields, answers: document,
            operation: Operation("releaseActivation", "activations", "Release a device", Self.repeating)
        ) { call in
            let released = try await licensing.deactivate(
                named: call.input.activation, because: call.input.reason, ofTenant: call.caller.tenant,
                by: call.caller.actor)
            guard let released else { throw Failure.notFound }
            return .done((call.input.activation, released))
        }
    }
}

extension FieldReader {
    /// Reads the reason for an act and whether the holder may read it; `nil` if the request gives no reason.
    fileprivate mutating func statedReason() throws -> StatedReason? {
        let text = try optional(
            "reason", .line(1...256), "Why; kept with the event, and shown when the license is explained.")
        let isTold =
            try optional("tell", .boolean, "Whether the holder may read the reason too, as it's written.") ?? false
        return text.map { StatedReason($0, isTold: isTold) }
    }
}

extension LicenseEndpoints {
    /// Responds to a repeated request with its licenses in their current state, without their keys.
    func repeated(_ position: RepeatedRecords.Position) -> RepeatedRecords {
        RepeatedRecords(
            position, of: License.document, in: licensing.catalog, at: licensing.clock, shownBy: "licenses:read",
            id: { LicenseID(number: $0)?.description ?? "" }, number: { $0.value.id.number }
        ) { [licensing] numbers, tenant in
            let plan = LicenseQueryPlans.byIDs
            let ids = numbers.compactMap { LicenseID(number: $0) }
            let found = try await licensing.store.fetch(plan.bind(ids))[plan.queries]
            let now = licensing.clock.now()
            return found.filter { $0.product.tenant == tenant }.map { AsOf($0, at: now) }
        }
    }
}
