extension Unreached {
    /// Says that what came is not believed.
    package init(_ problem: LeaseProblem) {
        let message =
            switch problem {
            case .malformed: "The answer cannot be read."
            case .unknownKey: "The answer is signed with a key that this app does not know; a newer app may."
            case .badSignature: "The answer's signature is not valid."
            case .otherProduct: "The answer is for another product."
            case .otherLicense: "The answer is for another license key."
            case .otherActivation: "The answer is for another activation."
            case .otherDevice: "The answer is for another device."
            case .otherRequest: "The answer is for another request."
            case .outdated: "The answer is older than one that came before it."
            }
        self.init(.unverified, message)
    }
}

extension Unreached: Error {}
