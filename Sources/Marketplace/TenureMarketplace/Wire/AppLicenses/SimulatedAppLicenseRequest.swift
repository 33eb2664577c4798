#if !canImport(CryptoKit)
    public import TenureFormats

    /// A simulated device's request to the simulated license engine.
    ///
    /// This is Tenure's own format (`Documentation/formats.md`); iOS neither writes nor reads it. Only Apple's own
    /// module knows Apple's format.
    public struct SimulatedAppLicenseRequest: Sendable, Hashable {
        /// The kind of a device's request: new licenses or renewals.
        public enum Action: String, Sendable, Hashable {
            /// New licenses, for ``SimulatedAppLicenseRequest/appleItemIDs``.
            case create
            /// Renewals, of ``SimulatedAppLicenseRequest/licenseIDs``.
            case renew
        }

        /// The most apps, and the most licenses, that one request may list.
        public static let longestList = 4096

        /// The longest device id, in bytes.
        public static let longestDeviceID = 255

        /// Whether the device requests new licenses or renewals.
        public var action: Action

        /// The request's id; a request that is sent again keeps its id.
        public var requestID: UInt64

        /// When the device created the request, in POSIX seconds of the device's clock.
        public var requestTime: UInt64

        /// The version of the request format that the device uses; 1 today.
        public var requestVersion: UInt32

        /// The device's id: 1 to 255 bytes.
        public var deviceID: [UInt8]

        /// The item ids of the apps to license; empty for a renewal.
        public var appleItemIDs: [UInt64]

        /// The ids of the licenses to renew; empty for new licenses.
        public var licenseIDs: [UInt64]

        /// Creates a request from its parts.
        public init(
            action: Action, requestID: UInt64, requestTime: UInt64, requestVersion: UInt32 = 1, deviceID: [UInt8],
            appleItemIDs: [UInt64] = [], licenseIDs: [UInt64] = []
        ) {
            self.action = action
            self.requestID = requestID
            self.requestTime = requestTime
            self.requestVersion = requestVersion
            self.deviceID = deviceID
            self.appleItemIDs = appleItemIDs
            self.licenseIDs = licenseIDs
        }

        /// Reads a request from JSON; ids may be strings or numbers, and unknown fields are ignored.
        ///
        /// Throws: `.malformed`, `.badMember`.
        public init(json: [UInt8]) throws(FormatError) {
            let object = try FlatObject(document: json, named: "simulated request")
            guard try object.require("v", object.integer("v")) == 1 else {
                throw FormatError(
                    .badMember, "the version of a simulated request must be 1; a newer server may support others")
            }
            guard let action = Action(rawValue: try object.require("action", object.string("action"))) else {
                throw FormatError(.badMember, "the action of a simulated request must be create or renew")
            }
            guard
                let version = UInt32(exactly: try object.require("requestVersion", object.identifier("requestVersion")))
            else { throw FormatError(.badMember, "requestVersion must fit in 32 bits") }
            let deviceID = try object.requireStrictBase64("deviceID")
            guard (1...Self.longestDeviceID).contains(deviceID.count) else {
                throw FormatError(.badMember, "deviceID must be 1 to \(Self.longestDeviceID) bytes long")
            }
            self.init(
                action: action, requestID: try object.require("requestID", object.identifier("requestID")),
                requestTime: try object.require("requestTime", object.identifier("requestTime")),
                requestVersion: version, deviceID: deviceID,
                appleItemIDs: try Self.list("appleItemIDs", in: object),
                licenseIDs: try Self.list("licenseIDs", in: object))
        }

        /// The request as a JSON object, to be encrypted into a ``RequestEnvelope``.
        public func json() -> [UInt8] {
            JSONWriter.object { object in
                object.member("v", 1)
                object.member("action", action.rawValue)
                object.member("requestID", String(requestID))
                object.member("requestTime", unsigned: requestTime)
                object.member("requestVersion", unsigned: UInt64(requestVersion))
                object.member("deviceID", base64: deviceID)
                object.member("appleItemIDs", appleItemIDs.map { String($0) })
                object.member("licenseIDs", licenseIDs.map { String($0) })
            }
        }

        private static func list(_ name: String, in object: FlatObject) throws(FormatError) -> [UInt64] {
            let list = try object.require(name, object.identifiers(name))
            guard list.count <= longestList else {
                throw FormatError(
                    .badMember, "\(name) has more than \(longestList) ids; split them over several requests")
            }
            return list
        }
    }
#endif
