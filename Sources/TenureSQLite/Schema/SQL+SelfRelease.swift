extension SQL {
    /// Who gave a seat back, and how far holders may release devices; both unknown for what was there before.
    static let selfRelease = SQL(
        """
        ALTER TABLE activations ADD COLUMN released_by TEXT
            CHECK (released_by IN ('device', 'holder', 'operator'));
        ALTER TABLE policies ADD COLUMN self_release_cooldown_days INTEGER;
        ALTER TABLE policies ADD COLUMN self_release_per_year INTEGER;
        """)
}
