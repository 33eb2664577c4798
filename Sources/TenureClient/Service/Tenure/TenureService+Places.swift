import TenureCore
import TenureFormats

extension TenureService {
    package func places(
        of activation: HeldActivation, lease: [UInt8], freeing other: String?
    ) async -> Answer<HeldPlaces> {
        let asked = requests.places(of: activation, lease: lease, freeing: other)
        guard let bindings = bindings(asked, activation, notBefore: nil) else { return .unknown(Self.notOurs) }
        return await ask(asked, "devices", bindings) { (told: TenureDevices, _) in
            HeldPlaces(
                places: told.devices.map { device in
                    HeldPlaces.Place(
                        activation: device.activation.description, name: ToldReason.told(device.name) ?? "",
                        activatedAt: Moment(device.activatedAt), lastSeenAt: Moment(device.lastSeenAt))
                },
                limit: told.activationLimit, releasesLeft: told.selfRelease?.left,
                nextRelease: told.selfRelease?.nextAt.map(Moment.init), serverTime: Moment(told.envelope.issuedAt))
        }
    }
}
