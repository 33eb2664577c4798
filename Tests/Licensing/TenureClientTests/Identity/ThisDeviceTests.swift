import TenureClient
import TenureCore
import Testing

@Suite struct ThisDeviceTests {
    let product = ProductRef(tenant: TenantID("testco")!, product: ProductID("testapp")!)

    @Test func `a device id is the hash that Keylight's own clients compute`() throws {
        let device = try ThisDevice(explicit: "hardware-1")
        #expect(
            device.id(for: product).text
                == "8e8871112f28cabda180ada131d0b4f4f07c72fb47c5d884edbe32812885b22a")
    }

    /// The expected hash is `printf 'tenure-device-v1|binding|hardware-1' | sha256sum`.
    @Test func `a device's binding is the SHA-256 hash of a prefix and the device's identifier`() throws {
        let device = try ThisDevice(explicit: "hardware-1")
        #expect(
            device.binding.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "2e3c8853076c330cffc5844898510f10b2520ac2875c395dc1fbac733bfc45b8")
    }

    @Test func `device ids differ by tenant, product and device`() throws {
        var names: [String] = []
        for identifier in ["hardware-1", "hardware-2"] {
            let device = try ThisDevice(explicit: identifier)
            for (tenant, product) in [("a", "x"), ("a", "y"), ("b", "x")] {
                let product = ProductRef(tenant: TenantID(tenant)!, product: ProductID(product)!)
                names.append(device.id(for: product).text)
            }
        }
        #expect(names.count == 6)
        #expect(Set(names).count == 6)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}/) != nil })
    }

    @Test func `a printed device shows how the device was identified, but not its identifier`() throws {
        let device = try ThisDevice(explicit: "hardware-1")
        #expect(device.id(for: product).source == .explicit)
        #expect("\(device)" == "ThisDevice(explicit)")
        #expect(!"\(device.id(for: product))".contains("hardware"))
    }

    @Test func `spaces around an explicit device identifier are ignored`() throws {
        let device = try ThisDevice(explicit: " \tci runner 7\n")
        #expect(device.binding == (try ThisDevice(explicit: "ci runner 7")).binding)
    }

    @Test(arguments: [
        "", "        ", "short-7", "     short-7     ", String(repeating: "x", count: 257), "12345678\u{0}90",
        "1234\n56789",
    ])
    func `an explicit device identifier that is too short, too long or has control characters is refused`(
        identifier: String
    ) throws {
        let error = #expect(throws: DeviceIDError.self) { try ThisDevice(explicit: identifier) }
        #expect(error?.code == .unusable)
        #expect(error?.message.contains("stays the same") == true)
    }

    @Test func `a device identifier that the app sets takes precedence over the system's`() async throws {
        let device = try await ThisDevice.current(explicit: "build-agent-12")
        #expect(device.source == .explicit)
    }
}
