import Testing

/// Properties that hold for any sequence of actions. The seed of a failing run is in the test's name.
@Suite struct AppLicensePropertyTests {
    @Test(arguments: UInt64(0)..<120)
    func `in random histories, app licenses stay within the device limit and their grants`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: seed)
        var world = AppLicenseWorld(durationDays: seed.isMultiple(of: 3) ? nil : 30)
        for _ in 0..<150 { try world.step(using: &random) }
        #expect(!world.licenses.isEmpty)
    }
}
