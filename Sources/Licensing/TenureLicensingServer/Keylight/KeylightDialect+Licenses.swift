import TenureCore
import TenureFormats
import TenureHTTP
import TenureLicensing
import TenureServerKit

extension KeylightDialect {
    private struct ActivationFields: Sendable {
        let key: PresentedKey
        let name: String
        let machineHash: String?
        let freeTierInstance: String?
    }

    /// Activates a license on a device.
    var activate: Endpoint {
        let fields = Fields { fields in
            ActivationFields(
                key: try fields.licenseKey(), name: try fields.required("instance_name", .reportedText),
                machineHash: try fields.optional("machine_hash", .keylightText),
                freeTierInstance: try fields.optional("free_tier_instance_id", .keylightText))
        }
        return Endpoint(
            changing: "POST", "/{tenant}/{product}/activate", .keylight, authentication: app, reads: fields
        ) {
            [self] call, changes in
            let (ask, caller) = (call.input, call.caller)
            let device = PresentedDevice(
                machineHash: ask.machineHash, freeTierInstance: ask.freeTierInstance, instanceName: ask.name,
                request: call.request.headers[Self.requestIDHeader])
            return try answer(
                to: try licensing.activate(ask.key, for: call, from: device, &changes), ask.key, caller)
        }
    }

    private func answer(
        to outcome: LicensingContext.ActivationOutcome, _ key: PresentedKey, _ caller: AppCaller
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(refusing(refusal, leading: "activated"))
        case .answered(let license, .activated(let activation, let terms, _)):
            let known = try known(license, by: key, terms, to: activation.id, caller.product, caller.snapshot)
            return .done(
                .json(
                    JSONWriter.object(room: 1_024) { body in
                        body.member("activated", true)
                        body.member("instance_id", activation.id.description)
                        known.write(into: &body)
                    }))
        case .answered(let license, .refused(let refusal, let terms, let existing)):
            let known = try known(license, by: key, terms, to: existing?.id, caller.product, caller.snapshot)
            return .refused(refusing(refusal, leading: "activated", known))
        }
    }

    private struct ValidationFields: Sendable {
        let key: PresentedKey
        let activation: ActivationID
    }

    /// Reports whether a device's license is valid.
    var validate: Endpoint {
        let fields = Fields { fields in
            let key = try fields.licenseKey()
            let instance = try fields.required("instance_id", .keylightText)
            // A text that isn't a UUID can't name an activation. The nil UUID, which is never issued, finds none.
            return ValidationFields(key: key, activation: ActivationID(text: instance) ?? ActivationID(high: 0, low: 0))
        }
        return Endpoint("POST", "/{tenant}/{product}/validate", .keylight, .read, authentication: app, reads: fields) {
            [self] call, reads in
            let ask = call.input
            return try answer(
                to: try licensing.validate(
                    ask.key, for: call, activation: ask.activation, under: call.caller.snapshot, &reads),
                ask, call.caller.product)
        }
    }

    private func answer(
        to outcome: LicensingContext.ValidationOutcome, _ ask: ValidationFields, _ product: Product
    ) throws -> Endpoint.Conclusion {
        switch outcome {
        case .unknown(let refusal):
            return .refused(refusing(refusal, leading: "valid"))
        case .answered(let license, .valid(let terms), let snapshot):
            let known = try known(license, by: ask.key, terms, to: ask.activation, product, snapshot)
            return .done(
                .json(
                    JSONWriter.object(room: 1_024) { body in
                        body.member("valid", true)
                        known.write(into: &body)
                    }))
        case .answered(let license, .refused(let refusal, let terms), let snapshot):
            let known = try known(license, by: ask.key, terms, to: ask.activation, product, snapshot)
            let isFinal = license.recordedState.isFinal && refusal.first.code != .licenseRekeyed
            return .refused(refusing(refusal, status: 422, leading: isFinal ? nil : "valid", known))
        }
    }

    /// What a response says about a license, with a signed lease if terms are given.
    private func known(
        _ license: License, by key: PresentedKey, _ terms: LeaseTerms?, to activation: ActivationID?,
        _ product: Product, _ snapshot: CatalogSnapshot
    ) throws(ServerError) -> KnownLicense {
        var lease: KeylightLease?
        if let terms {
            let signing = try snapshot.keyRing(of: license.product.tenant).primary
            lease = try signing.signLease(terms, of: license, requested: key, activation: activation)
        }
        return KnownLicense(
            license: license, lease: lease, configuration: try configuration(of: product, snapshot))
    }

    /// Releases a device.
    ///
    /// The response is the same for every caller and every repetition; an unknown instance counts as released.
    var deactivate: Endpoint {
        let fields = Fields { fields in ActivationID(text: try fields.required("instance_id", .keylightText)) }
        return Endpoint(
            changing: "POST", "/{tenant}/{product}/deactivate", .keylight, authentication: app, reads: fields
        ) {
            [self] call, changes in
            if let activation = call.input {
                _ = try licensing.context.deactivate(
                    activation, of: call.caller.product.ref, by: .device, under: call.caller.snapshot, &changes)
            }
            return .done(.json(JSONWriter.object(room: 32) { $0.member("deactivated", true) }))
        }
    }
}

extension FieldReader {
    /// Reads the license key as typed; white space alone counts as missing.
    fileprivate mutating func licenseKey() throws(Failure) -> PresentedKey {
        guard let key = PresentedKey(try required("license_key", .keylightText)) else {
            throw Failure(FieldFault("license_key", .missing(must: "a license key")))
        }
        return key
    }
}

extension FieldType where Value == String {
    /// A text of at most 256 bytes, which is what Keylight's apps send.
    static let keylightText: FieldType = .text(longest: 256)
}
