import TenureLicensing
import TenureCore
import TenureServerKit
import TenureStore

extension LicenseEndpoints {
    /// Issues licenses.
    var create: Endpoint {
        let fields = Fields { fields in
            IssueLicenses.Order.Asked(
                product: try fields.required("product", .slug(), "The product."),
                policy: try fields.required("policy", .slug(), "Under which policy."),
                holder: try fields.optional("holder", .line(0...256), "To whom: opaque text such as an e-mail."),
                end: TermEnd(
                    try fields.clearable(
                        "expiresAt", .moment, "When the term ends; null for never; left out, the policy says.")),
                count: try fields.optional("count", .integer(1...1000), else: 1))
        }
        let document = Document<[KeyedLicense]>(nil, [.list("licenses", of: KeyedLicense.document) { $0 }])
        return Endpoint(
            "POST", "/v1/{tenant}/licenses", .problem, .kept, admits: with("licenses:write"), reads: fields,
            repeats: .once, answers: document, status: 201,
            operation: Operation(
                "issueLicenses", "licenses", "Issue licenses", "All of them in one transaction.",
                yes: "Issued; the keys are told this once.")
        ) { call in
            let order = call.input.order(of: call.place.tenant)
            let now = clock.now()
            let write: @Sendable ([IssueLicenses.Issued]) -> [KeyedLicense] = { issued in
                issued.map { KeyedLicense(keyText: $0.keyText, license: AsOf($0.license, at: now)) }
            }
            let once = try await IssueLicenses(catalog: catalog, clock: clock, randomness: randomness).once(
                call.repeatable, order, by: call.place.actor
            ) { issued in issued.map { document.json(write($0)) } }
            return try once.documented { issued in
                if let issued { return .done(write(issued)) }
                return .refused(
                    Failure(
                        TurnedAway(
                            422, code: "policy_unknown", "There is no policy \(order.policy) of \(order.product).",
                            title: "The request cannot be carried out", among: Reason.Kind.licensingRequests)))
            }
        }
    }

    /// An action on one license, as read from a request.
    private struct AskedAct: Sendable {
        let license: LicenseID
        let act: OperatorAct
    }

    /// The actions that have a path of their own and don't return a key.
    var acts: [Endpoint] {
        [
            act(
                "renew",
                Operation(
                    "renewLicense", "licenses", "Renew a license",
                    "Without a body the policy's duration is added. A running term is prolonged; an expired license "
                        + "starts again now.")
            ) { fields in
                let days = try fields.optional("days", .integer(1...36_500), "Add so many days.")
                let until = try fields.optional("until", .moment, "Renew to this moment.")
                try fields.refuseBoth("days", "until", days != nil && until != nil)
                return .renew(days.map { .days($0) } ?? until.map { .until($0) } ?? .policy)
            },
            act("change", Operation("changeLicense", "licenses", "Edit a license", "What is left out stays.")) {
                fields in
                .change(
                    LicenseEdit(
                        policy: try fields.optional("policy", .slug(), "The policy to follow."),
                        holder: try fields.holderToChange(),
                        end: TermEnd(
                            try fields.clearable("expiresAt", .moment, "The end of the term; null for never."))))
            },
            act("suspend", Operation("suspendLicense", "licenses", "Suspend a license", Self.repeating), .suspend),
            act(
                "reinstate", Operation("reinstateLicense", "licenses", "Reinstate a license", Self.repeating),
                .reinstate),
            act(
                "revoke", Operation("revokeLicense", "licenses", "Revoke a license", "Final. " + Self.repeating),
                .revoke),
            act(
                "return",
                Operation(
                    "returnLicense", "licenses", "Take a license back",
                    "Final: its holder gave it back. " + Self.repeating), .giveBack),
        ]
    }

    private static let repeating = "Repeating it changes nothing."

    private func act(_ verb: String, _ operation: Operation, _ act: OperatorAct) -> Endpoint {
        self.act(verb, operation) { fields in
            try fields.nothing()
            return act
        }
    }

    private func act(
        _ verb: String, _ operation: Operation,
        _ read: @escaping @Sendable (inout FieldReader) throws -> OperatorAct
    ) -> Endpoint {
        let fields = Fields { fields in
            AskedAct(license: try fields.licenseInPath(), act: try read(&fields))
        }
        return Endpoint(
            "POST", "\(Self.license)/\(verb)", .problem, .kept, admits: with("licenses:write"), reads: fields,
            repeats: .once, answers: License.document, operation: operation
        ) { call in
            try await perform(call.input.act, on: call.input.license, call, as: License.document) { $0 }
        }
    }

    /// Gives a license a new key and returns its text.
    var rekey: Endpoint {
        let fields = Fields { fields in
            let license = try fields.licenseInPath()
            try fields.nothing()
            return license
        }
        return Endpoint(
            "POST", Self.license + "/rekey", .problem, .kept, admits: with("licenses:write"), reads: fields,
            repeats: .once, answers: KeyedLicense.document,
            operation: Operation(
                "rekeyLicense", "licenses", "Give a license a new key",
                "The old key is dead; term, devices and history stay. The new key is told this once.")
        ) { call in
            let license = try await license(call.input, of: call.place)
            let minted = try await catalog.refreshIfChanged().mintKey(for: license.product, randomness)
            guard let minted else { throw Failure.notFound }
            return try await perform(.rekey(minted.key), on: license.id, call, as: KeyedLicense.document) {
                KeyedLicense(keyText: minted.text, license: $0)
            }
        }
    }

    private func perform<Input, Output>(
        _ act: OperatorAct, on id: LicenseID, _ call: Call<OperatorPlace, Input>, as document: Document<Output>,
        _ write: @escaping @Sendable (AsOf<License>) -> Output
    ) async throws -> Documented<Output> {
        let now = clock.now()
        let once = try await ActOnLicense(catalog: catalog, clock: clock).once(
            call.repeatable, act, on: id, of: call.place.tenant, by: call.place.actor
        ) { outcome in
            if case .done(let license, _) = outcome { document.json(write(AsOf(license, at: now))) } else { nil }
        }
        return try once.documented { outcome in
            switch outcome {
            case .done(let license, _): return .done(write(AsOf(license, at: now)))
            case .refused(let refusal): return .refused(Failure(refusal))
            case .unknownPolicy(let policy):
                return .refused(
                    Failure(FieldFault("policy", .other("the product has no policy \(policy)"))))
            }
        }
    }

    /// Releases a device.
    var release: Endpoint {
        let fields = Fields { fields in
            try fields.required(
                "activation", .activationID, in: .path, "The activation's public id; its device's own id does too.")
        }
        let document = Document<(ActivationID, Bool)>(
            nil,
            [
                .text("activation", "Its id, as the request names it.") { $0.0.description },
                .boolean("released") { _ in true },
                .boolean("changed", "Whether this call released it.") { $0.1 },
            ])
        return Endpoint(
            "POST", "/v1/{tenant}/activations/{activation}/release", .problem, .kept,
            admits: with("activations:write"), reads: fields, answers: document,
            operation: Operation("releaseActivation", "activations", "Release a device", Self.repeating)
        ) { call in
            let released = try await DeactivateLicense(catalog: catalog, clock: clock)(
                named: call.input, ofTenant: call.place.tenant, by: call.place.actor)
            guard let released else { throw Failure.notFound }
            return .done((call.input, released))
        }
    }
}

extension IssueLicenses.Order {
    /// An order as read from a request, before its tenant is known.
    fileprivate struct Asked: Sendable {
        let product: ProductID
        let policy: PolicyID
        let holder: String?
        let end: TermEnd?
        let count: Int

        func order(of tenant: TenantID) -> IssueLicenses.Order {
            IssueLicenses.Order(
                product: ProductRef(tenant: tenant, product: product), policy: policy,
                holder: holder.flatMap { $0.isEmpty ? nil : $0 }, end: end, count: count)
        }
    }
}

extension FieldReader {
    /// The new holder of a license; an empty text removes the holder.
    fileprivate mutating func holderToChange() throws(Failure) -> String? {
        switch try clearable("holder", .line(0...256), "The holder; null or empty for nobody.") {
        case .left: nil
        case .cleared: ""
        case .given(let holder): holder
        }
    }
}

extension TermEnd {
    /// Reads the end of a term; null means that it never ends.
    fileprivate init?(_ given: Clearable<Timestamp>) {
        switch given {
        case .left: return nil
        case .cleared: self = .never
        case .given(let end): self = .at(end)
        }
    }
}
